/** Lists the kinds of ids, which are their prefixes. Example: `env_01jd2m4x9k0000000000000000`. */
export const idKinds = [
  'org',
  'env',
  'sch',
  'ver',
  'key',
  'int',
  'dep',
  'run',
  'dsp',
  'syn',
  'iss',
  'ntf',
  'rte',
  'dlv',
  'whk',
  'msg',
  'tgt',
  'job',
  'evt',
  'usr',
  'inv',
  'req',
  'rul',
  'grp',
  'gra',
  'idp',
  'chr',
  'sig',
  'prf',
  'pln',
  'rtp',
  'chk',
  'gat',
  'gdc',
  'prv',
] as const

export type IdKind = (typeof idKinds)[number]

/** Holds Crockford's base 32 in lower case: no `i`, `l`, `o`, `u`. */
export const idAlphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/** Matches ten characters of time in milliseconds, sixteen of chance: ids sort by the time they were made. */
export const idBodyPattern = '[0-7][0-9a-hjkmnp-tv-z]{25}'

/** Returns whether `text` has the form of an id of `kind`. Says nothing about its existence. */
export function isId(kind: IdKind, text: string): boolean {
  return text.length === kind.length + 27 && new RegExp(`^${kind}_${idBodyPattern}$`).test(text)
}

/** Returns whether `text` has the form of any id. Names that do are refused, so that a path segment is never ambiguous. */
export function isAnyId(text: string): boolean {
  const separator = text.indexOf('_')
  const kind = text.slice(0, separator)
  return (
    idKinds.some((known) => known === kind) &&
    new RegExp(`^${idBodyPattern}$`).test(text.slice(separator + 1))
  )
}
