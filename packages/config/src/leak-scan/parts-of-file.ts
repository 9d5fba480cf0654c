/** Describes a text of a built file to scan, with the path that a finding names. */
export interface FilePart {
  /** Example: `assets/index.js.map, of src/main.ts`. */
  readonly path: string
  readonly text: string
}

export interface BuiltFile {
  /** Holds the path that findings name. Example: `dist/assets/index.js`. */
  readonly path: string
  readonly content: string | Uint8Array
}

/** Returns the texts in a file: of a source map each source by itself, of a file with an inline source map both. */
export function partsOfFile({ path, content }: BuiltFile): FilePart[] {
  const text = typeof content === 'string' ? content : decode(content)
  if (path.endsWith('.map')) return partsOfMap(path, text) ?? [{ path, text }]
  const inline = [...text.matchAll(inlineMap)].flatMap(([, base64 = '']) => {
    return partsOfMap(`${path}, its source map`, Buffer.from(base64, 'base64').toString()) ?? []
  })
  return [{ path, text }, ...inline]
}

const inlineMap = /sourceMappingURL=data:application\/json[^,\s]{0,99},([\w+/=-]+)/g

/** Decodes bytes that are no UTF-8 one by one, so that texts among them are found. */
function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return Buffer.from(bytes).toString('latin1')
  }
}

/** Returns the sources of a source map (ECMA-426 §8), or `undefined` for any other text. */
function partsOfMap(path: string, text: string): FilePart[] | undefined {
  const map = parse(text)
  if (map === undefined) return undefined
  const { sources, sourcesContent, names, sections } = map
  const contents = listOf(sourcesContent)
  const named = listOf(sources).map((source) => (typeof source === 'string' ? source : 'a source'))
  return [
    ...contents.flatMap((content, at) =>
      typeof content === 'string'
        ? [{ path: `${path}, of ${named[at] ?? 'a source'}`, text: content }]
        : [],
    ),
    { path: `${path}, its names`, text: [...listOf(names), ...named].join('\n') },
    ...(sections === undefined ? [] : [{ path, text: JSON.stringify(sections) }]),
  ]
}

function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    // Removes the prefix that prevents a map from running as a script.
    const parsed: unknown = JSON.parse(text.replace(/^\)\]\}'[^\n]*\n/, ''))
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : undefined
  } catch {
    return undefined
  }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
