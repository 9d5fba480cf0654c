/** Wraps text in colors, or leaves it as it is where there are none. */
export interface Styles {
  readonly bold: (text: string) => string
  readonly dim: (text: string) => string
  readonly red: (text: string) => string
  readonly green: (text: string) => string
  readonly yellow: (text: string) => string
  readonly cyan: (text: string) => string
}

const wrap = (on: boolean, open: number, close: number) => (text: string) =>
  on && text !== '' ? `\u001B[${open}m${text}\u001B[${close}m` : text

/** Creates the terminal styles. They do nothing when `on` is false. */
export function createStyles(on: boolean): Styles {
  return {
    bold: wrap(on, 1, 22),
    dim: wrap(on, 2, 22),
    red: wrap(on, 31, 39),
    green: wrap(on, 32, 39),
    yellow: wrap(on, 33, 39),
    cyan: wrap(on, 36, 39),
  }
}

/** Returns whether a stream is written in colour: flag, then NO_COLOR, then FORCE_COLOR, then whether it is a terminal. */
export function wantsColor(
  env: Readonly<Partial<Record<string, string>>>,
  isTTY: boolean,
  flag: boolean | undefined,
): boolean {
  if (flag !== undefined) return flag
  if ((env['NO_COLOR'] ?? '') !== '') return false
  const forced = env['FORCE_COLOR']
  if (forced !== undefined) return forced !== '0' && forced !== 'false'
  return isTTY && env['TERM'] !== 'dumb'
}
