/**
 * Describes what a step of GitHub Actions says to its runner by printing it.
 *
 * @see https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
 */
export interface Annotation {
  /** Holds the path relative to the repository. */
  readonly file?: string | undefined
  readonly line?: number | undefined
  readonly title: string
  readonly message: string
}

/** Returns the workflow command that annotates a file in the pull request. */
export function renderError({ file, line, title, message }: Annotation): string {
  const properties = { file, line: line?.toString(), title }
  const named = Object.entries(properties).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${escapeProperty(value)}`],
  )
  return `::error ${named.join(',')}::${escapeData(message)}`
}

/** Renders a warning of the run without a line of code. */
export function renderWarning(message: string): string {
  return `::warning title=Signalbox::${escapeData(message)}`
}

/** Returns the workflow commands that make the log show `***` instead of the text and of each of its lines. */
export function renderMasks(secret: string): string[] {
  const parts = new Set([secret, ...secret.split(/\r\n|\r|\n/)])
  return [...parts]
    .filter((part) => part.trim() !== '')
    .map((part) => `::add-mask::${escapeData(part)}`)
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
