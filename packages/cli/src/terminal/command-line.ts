/** Returns the command of these arguments with one more flag, as a shell takes it. */
export function toCommandLine(args: readonly string[], flag: string): string {
  const end = args.indexOf('--')
  const at = end === -1 ? args.length : end
  return ['signalbox', ...args.slice(0, at).map(quote), flag, ...args.slice(at).map(quote)].join(
    ' ',
  )
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}
