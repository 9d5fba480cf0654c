import type { ValueSource } from '@signalbox/contract'
import {
  encodeBody,
  readBodyText,
  type EncodedBody,
  type Representation,
} from '../http/encoded-body.ts'
import { createFlagSet, type FlagSet } from '../ofrep/flag-set.ts'
import type { Published } from '../cache/published.ts'
import { openContent, type OpenContent } from '../cache/snapshot-content.ts'

/** A published row for browsers. */
export interface BrowserRow extends Published {
  /** The exact JSON text of the snapshot. Has no member for secrets. */
  readonly body: string
  /** Where the value of each flag comes from. */
  readonly flagSources: Readonly<Record<string, ValueSource>>
  /** The texts of the rules of those flags that have some: used here, sent to nobody. */
  readonly flagRules: Readonly<Record<string, string>>
}

/** A snapshot for browsers, ready to be sent. Has no place for a secret. */
export interface BrowserItem extends Published {
  readonly encoded: EncodedBody
  /** The body of the read by names: every value under its key, without tiers. */
  flattened(): EncodedBody
  /** One value by its key. `undefined` for a key the snapshot does not have, which a secret is as well. */
  single(key: string): Representation | undefined
  /** The flags with their rules. One that is set nowhere is off. */
  flags(): FlagSet
}

/** Prepares a published row. Its text is read when a value is first asked for by name: most snapshots are read whole. */
export function toBrowserItem(row: BrowserRow): BrowserItem {
  const { body, flagSources, flagRules, ...published } = row
  const encoded = encodeBody(body, published.etag)
  let content: OpenContent | undefined
  let flattened: EncodedBody | undefined
  let flags: FlagSet | undefined
  const getContent = () => (content ??= openContent.parse(JSON.parse(readBodyText(encoded))))
  return {
    ...published,
    encoded,
    flattened() {
      flattened ??= encodeBody(renderValues(published, getContent()), published.etag)
      return flattened
    },
    single(key) {
      const text = renderValue(published, getContent(), key)
      return text === undefined ? undefined : encodeBody(text, published.etag).identity
    },
    flags() {
      const { schemaId } = published
      const { featureFlags } = getContent()
      flags ??= createFlagSet({ schemaId, flagSources, flagRules, featureFlags })
      return flags
    },
  }
}

function renderValues({ environment, schema, version }: Published, content: OpenContent): string {
  const values = { ...content.public, ...content.featureFlags }
  return JSON.stringify({ values, environment, schema, version })
}

function renderValue(
  { version }: Published,
  content: OpenContent,
  key: string,
): string | undefined {
  for (const tier of ['public', 'featureFlags'] as const) {
    if (!Object.hasOwn(content[tier], key)) continue
    return JSON.stringify({ key, value: content[tier][key], tier, version })
  }
  return undefined
}
