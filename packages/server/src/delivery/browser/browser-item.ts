import type { ValueSource } from '@signalbox/contract'
import { encodeBody, readBodyText, type EncodedBody, type Representation } from '../encoded-body.ts'
import type { Published } from '../published.ts'
import { openContent, type OpenContent } from '../snapshot-content.ts'

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
  /** The value of a flag and where it comes from. A flag that is set nowhere is off. */
  evaluate(key: string): FlagEvaluation | undefined
}

export interface FlagEvaluation {
  readonly value: boolean
  readonly source: ValueSource
}

/** Prepares a published row. Its text is read when a value is first asked for by name: most snapshots are read whole. */
export function toBrowserItem({ body, flagSources, ...published }: BrowserRow): BrowserItem {
  const encoded = encodeBody(body, published.etag)
  let content: OpenContent | undefined
  let flattened: EncodedBody | undefined
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
    evaluate: (key) => evaluate(flagSources, getContent(), key),
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

function evaluate(
  flagSources: BrowserRow['flagSources'],
  { featureFlags }: OpenContent,
  key: string,
): FlagEvaluation | undefined {
  const source = Object.hasOwn(flagSources, key) ? flagSources[key] : undefined
  const value = Object.hasOwn(featureFlags, key) ? featureFlags[key] : undefined
  if (source === undefined && value === undefined) return undefined
  return { value: value ?? false, source: source ?? (value === undefined ? 'missing' : 'set') }
}
