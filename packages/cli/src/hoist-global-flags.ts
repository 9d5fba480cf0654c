const switches = new Set([
  '--json',
  '--yes',
  '--dry-run',
  '--quiet',
  '--verbose',
  '--color',
  '--no-color',
  '--token-stdin',
])
const withText = new Set(['--cwd', '--config', '--profile', '--server'])

/** Lists the flags that every command takes, as people type them. */
export const globalFlags: readonly string[] = [...switches, ...withText]

/** Moves global flags from before the command to behind it: `signalbox --json whoami` works too. */
export function hoistGlobalFlags(argv: readonly string[]): string[] {
  const [moved, rest] = splitGlobalFlags(argv)
  if (rest.length === 0 || moved.length === 0) return [...argv]
  const escape = rest.indexOf('--')
  const end = escape === -1 ? rest.length : escape
  return [...rest.slice(0, end), ...moved, ...rest.slice(end)]
}

/** Splits the arguments into the global flags before the command, and the rest. */
export function splitGlobalFlags(argv: readonly string[]): [flags: string[], rest: string[]] {
  const flags: string[] = []
  let at = 0
  for (; at < argv.length; at += 1) {
    const word = argv[at] ?? ''
    const value = argv[at + 1]
    if (switches.has(word) || [...withText].some((name) => word.startsWith(`${name}=`)))
      flags.push(word)
    else if (withText.has(word) && value !== undefined) {
      flags.push(word, value)
      at += 1
    } else break
  }
  return [flags, argv.slice(at)]
}

/** Returns the words from the command on: behind global flags, and behind `help`. */
export function fromCommand(argv: readonly string[]): readonly string[] {
  const [, words] = splitGlobalFlags(argv)
  return words[0] === 'help' && words.length > 1 ? words.slice(1) : words
}
