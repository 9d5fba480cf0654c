import { Document, isMap, isScalar } from 'yaml'
import { ApiError } from '../api/problem-error.ts'
import { schemaPath } from './file-schema.ts'
import type { Kind, Resource } from './kind.ts'
import { kinds } from './kinds.ts'
import { toMap } from './plan.ts'
import type { World } from './world.ts'

/** Holds a file that declares what exists, and the kinds that the token may not read. */
export interface ExportedFile {
  readonly text: string
  readonly content: Readonly<Record<string, unknown>>
  readonly unread: readonly string[]
}

/** Renders everything that exists as a file. To apply it changes nothing. @throws {CliError} `ambiguous_name` */
export async function exportFile(world: World): Promise<ExportedFile> {
  const read = await Promise.all(
    kinds.map(async (kind) => ({ kind, resources: await readOrRefused(kind, world) })),
  )
  const present = read.flatMap(({ kind, resources = [] }) =>
    resources.length === 0 ? [] : [{ kind, resources }],
  )
  const content = {
    version: 1,
    ...Object.fromEntries(
      present.map(({ kind, resources }) => [kind.member, toMember(kind, resources)]),
    ),
  }
  const document = new Document(content)
  for (const { kind, resources } of present) remark(document, kind, resources)
  document.commentBefore = ` yaml-language-server: $schema=${world.api.serverUrl}${schemaPath}`
  return {
    text: document.toString({ lineWidth: 0 }),
    content,
    unread: read.flatMap(({ kind, resources }) => (resources === undefined ? [kind.member] : [])),
  }
}

/** Returns `undefined` where the token may not read the kind. */
async function readOrRefused(kind: Kind, world: World): Promise<readonly Resource[] | undefined> {
  try {
    return await kind.read(world)
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return undefined
    throw error
  }
}

function toMember(kind: Kind, resources: readonly Resource[]): unknown {
  const { schema, keyOf } = kind
  if (schema.type === 'object') {
    return Object.fromEntries(toMap(kind, resources))
  }
  return resources.map(({ key, fields }) => (keyOf === undefined ? key : fields))
}

/** Writes the remarks of resources beside their members, as comments. */
function remark(document: Document, { member }: Kind, resources: readonly Resource[]): void {
  for (const { key, remarks = {} } of resources) {
    const fields = document.getIn([member, key], true)
    if (!isMap(fields)) continue
    for (const [name, text] of Object.entries(remarks)) {
      const value = fields.get(name, true)
      if (isScalar(value)) value.comment = ` ${text}`
    }
  }
}
