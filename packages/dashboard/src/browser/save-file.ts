/** Saves a file where the browser keeps its downloads. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // By then the download holds the content itself.
  setTimeout(() => URL.revokeObjectURL(url), 1000)
}
