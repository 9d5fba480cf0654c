import type { Tx } from '../store/store.ts'
import {
  listKeyNames,
  listSchemaRevisions,
  type KeyNameRow,
  type SchemaRevision,
} from '../read-models/overview/search-rows.ts'

/** Describes a key of a schema whose name, owner or tag contains the text that was searched. */
export interface FoundKey {
  readonly schemaId: string
  readonly schema: string
  readonly key: string
  readonly tier: string
  /** Holds the note that contains the text, where the name does not. Example: `owner Checkout team`. */
  readonly note: string | undefined
}

/** Holds the names of the keys of a schema at a revision. */
interface SchemaKeys {
  readonly revision: number
  readonly keys: readonly SearchedKey[]
  /** Counts the keys and their different notes, which are what takes the memory. */
  readonly size: number
}

interface SearchedKey {
  readonly key: string
  readonly lowered: string
  readonly tier: string
  /** Holds the owner and the tags. */
  readonly notes: readonly SearchedNote[]
}

/** Holds an owner or a tag, lowered and in words. */
interface SearchedNote {
  readonly lowered: string
  readonly words: string
}

/** Finds keys by a part of their name, owner or tag without unpacking the definitions of schemas that have not changed. */
export interface KeyNames {
  /**
   * Returns at most eight keys: those whose name begins with the text first, the shorter before the longer, those found by
   * owner or tag last.
   */
  find(tx: Tx, orgId: string, text: string): Promise<FoundKey[]>
}

const foundMax = 8
/** Ranks what only a note contains behind every name, of which none is so long. */
const behindNames = 1_000
/** Limits the names and different notes of all organizations together: some 40 MB. The keys of one organization are at most half. */
const namesMax = 200_000

/** Creates a cache of key names. It reads a schema at the first search, and keeps the schemas that were searched last. */
export function createKeyNames(most = namesMax): KeyNames {
  const known = new Map<string, SchemaKeys>()
  let size = 0
  const forget = (schemaId: string) => {
    size -= known.get(schemaId)?.size ?? 0
    known.delete(schemaId)
  }
  const keep = (schemaId: string, schema: SchemaKeys) => {
    forget(schemaId)
    known.set(schemaId, schema)
    size += schema.size
    for (const oldest of known.keys()) {
      if (size <= most || oldest === schemaId) return
      forget(oldest)
    }
  }
  return {
    async find(tx, orgId, text) {
      const schemas = await listSchemaRevisions(tx, orgId)
      const current = new Map<string, SchemaKeys>()
      const changed: string[] = []
      for (const { id, revision } of schemas) {
        const schema = known.get(id)
        if (schema?.revision === revision) current.set(id, schema)
        else changed.push(id)
      }
      if (changed.length > 0) {
        for (const row of await listKeyNames(tx, orgId, changed)) current.set(row.id, read(row))
      }
      // Taken before the next read, so that a search of many schemas does not push out its own.
      for (const [id, schema] of current) keep(id, schema)
      return findBest(schemas, current, text)
    },
  }
}

const noNotes: SearchedKey['notes'] = []

function read({ revision, keys: rows }: KeyNameRow): SchemaKeys {
  const known = new Map<string, SearchedNote>()
  // Many keys have the same owner and tags, and share what is kept of them.
  const toNote = (text: string, name: string): SearchedNote => {
    const words = `${name} ${text}`
    const note = known.get(words) ?? { lowered: text.toLowerCase(), words }
    known.set(words, note)
    return note
  }
  const keys = rows.map(([key, tier, owner, tags]) => ({
    key,
    lowered: key.toLowerCase(),
    tier,
    notes:
      owner === null && tags === null
        ? noNotes
        : [
            ...(owner === null ? [] : [toNote(owner, 'owner')]),
            ...(tags ?? []).map((tag) => toNote(tag, 'tag')),
          ],
  }))
  return { revision, keys, size: keys.length + known.size }
}

interface Match extends FoundKey {
  /** Where in its name the text begins. `behindNames`: only a note contains it. */
  readonly at: number
}

/** The best of them in order. One pass that keeps eight, because a letter is in the name of every key. */
function findBest(
  schemas: readonly SchemaRevision[],
  keysOf: ReadonlyMap<string, SchemaKeys>,
  text: string,
): Match[] {
  const lowered = text.toLowerCase()
  const best: Match[] = []
  for (const { id: schemaId, name: schema } of schemas) {
    for (const each of keysOf.get(schemaId)?.keys ?? []) {
      const hit = matchKey(each, lowered)
      if (hit === undefined) continue
      const match = { schemaId, schema, key: each.key, tier: each.tier, ...hit }
      const worst = best.at(foundMax - 1)
      if (worst !== undefined && compare(worst, match) <= 0) continue
      const position = best.findIndex((other) => compare(match, other) < 0)
      best.splice(position === -1 ? best.length : position, 0, match)
      best.length = Math.min(best.length, foundMax)
    }
  }
  return best
}

function matchKey(
  { lowered: name, notes }: SearchedKey,
  text: string,
): Pick<Match, 'at' | 'note'> | undefined {
  const at = name.indexOf(text)
  if (at !== -1) return { at, note: undefined }
  const note = notes.find(({ lowered }) => lowered.includes(text))
  return note && { at: behindNames, note: note.words }
}

function compare(a: Match, b: Match): number {
  const byName = a.key < b.key ? -1 : a.key > b.key ? 1 : 0
  return a.at - b.at || a.key.length - b.key.length || byName
}
