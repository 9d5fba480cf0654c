/** Reads a value of an address; `undefined` stands for one that is refused. */
type Read = (value: unknown) => unknown

/** Describes what is read of an address. */
type Search<Readers extends Readonly<Record<string, Read>>> = {
  readonly [Name in keyof Readers]?: ReturnType<Readers[Name]> | undefined
}

/** Makes the reader of an address from a reader for each of its parameters. It leaves out all others, and refused values. */
export function readSearch<const Readers extends Readonly<Record<string, Read>>>(readers: Readers) {
  return (search: Record<string, unknown>): Search<Readers> => {
    const known: { [Name in keyof Readers]?: ReturnType<Readers[Name]> } = {}
    for (const [name, read] of Object.entries(readers)) {
      const value = read(search[name])
      if (value !== undefined) Object.assign(known, { [name]: value })
    }
    return known
  }
}

const day = /^\d{4}-\d{2}-\d{2}$/

/** Reads a text that is not empty. */
export const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/** Reads an existing date. Example: `2026-11-07`. */
export const date = (value: unknown): string | undefined =>
  typeof value === 'string' && day.test(value) && !Number.isNaN(Date.parse(value))
    ? value
    : undefined

/** Reads a list of texts. An empty one is left out. */
export function texts(list: unknown): readonly string[] | undefined {
  const known = Array.isArray(list) ? list.filter((each) => typeof each === 'string') : []
  return known.length > 0 ? known : undefined
}

/** Reads what is on; everything else is left out. */
export const yes = (value: unknown): true | undefined => (value === true ? value : undefined)

/** Makes the reader of one of these values. */
export const oneOf =
  <const Value>(...values: readonly Value[]) =>
  (value: unknown): Value | undefined =>
    values.find((each) => each === value)
