const reference = /(?<!\\)\$\{([^{}]+)\}|(?<!\\)\$([A-Za-z_][A-Za-z0-9_]*)/

/** Returns whether dotenv-expand, dotenvx or Vite would replace a part of `value`. */
export function hasReference(value: string): boolean {
  return reference.test(value)
}

/** Returns whether dotenv-expand or dotenvx would run a part of `value` as a command: a closed `$(…)`, escaped or not. */
export function hasCommand(value: string): boolean {
  const start = value.indexOf('$(')
  return start !== -1
}

/** Unescapes dollars as the expanders do. */
export function unescapeDollars(value: string): string {
  return value.replaceAll(String.raw`\$`, '$')
}
