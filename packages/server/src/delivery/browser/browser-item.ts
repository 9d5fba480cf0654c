import { hash } from 'node:crypto'
import type { ValueSource } from '@signalbox/contract'
import {
  encodeBody,
  readBodyText,
  toSignatureHeaders,
  type EncodedBody,
  type Representation,
} from '../http/encoded-body.ts'
import { renderDefinition } from '../flagd/render-definition.ts'
import { createFlagSet, type FlagSet, type FlagsOfSnapshot } from '../ofrep/flag-set.ts'
import { renderVariables, variablesEtag } from '../http/render-variables.ts'
import type { Published } from '../cache/published.ts'
import { openContent, type OpenContent } from '../cache/snapshot-content.ts'

/** Describes a published row for browsers. */
export interface BrowserRow extends Published {
  /** Holds the exact JSON text of the snapshot, which has no member for secrets. */
  readonly body: string
  /** Maps flags and targeted keys to the source of their value. */
  readonly flagSources: Readonly<Record<string, ValueSource>>
  /** Holds the texts of rules as `PublishedBrowser` does. Rules are evaluated here and never sent. */
  readonly flagRules: Readonly<Record<string, string>>
  /** Maps flags and targeted keys to the configuration version in which they last changed, where it is known. */
  readonly flagVersions: Readonly<Record<string, number>>
  /** Holds the header `Signalbox-Signature`; `null` until the row is signed. */
  readonly signature: string | null
}

/** Describes a snapshot for browsers, ready to be sent. It has no member for secrets. */
export interface BrowserItem extends Published {
  readonly encoded: EncodedBody
  /** Returns the published row again. */
  toRow(): BrowserRow
  /** Returns the body of a read by names: every value under its key, without tiers. */
  flattened(): EncodedBody
  /** Returns the same as environment variables. @throws {Problem} `unusable_variable` */
  variables(): EncodedBody
  /** Returns one value; `undefined` when the snapshot has no such key, or the key is a secret. */
  single(key: string): Representation | undefined
  /** Returns flags and targeted keys with their rules. A flag that is set nowhere is off. */
  flags(): FlagSet
  /** Returns flagd's definition of the flags, with their rules: not for browsers. */
  flagd(): EncodedBody
}

/** Prepares a published row. Its text is parsed only when a value is read by name: most snapshots are read whole. */
export function toBrowserItem(row: BrowserRow): BrowserItem {
  const { body, flagSources, flagRules, flagVersions, signature, ...published } = row
  const encoded = encodeBody(body, published.etag, toSignatureHeaders(signature))
  let content: OpenContent | undefined
  let flattened: EncodedBody | undefined
  let variables: EncodedBody | undefined
  let flags: FlagSet | undefined
  let flagd: EncodedBody | undefined
  const getContent = () => (content ??= openContent.parse(JSON.parse(readBodyText(encoded))))
  const getFlags = (): FlagsOfSnapshot => {
    const { public: values, featureFlags } = getContent()
    return { ...published, flagSources, flagRules, flagVersions, featureFlags, values }
  }
  return {
    ...published,
    encoded,
    toRow: () => ({
      ...published,
      body: readBodyText(encoded),
      flagSources,
      flagRules,
      flagVersions,
      signature,
    }),
    flattened() {
      flattened ??= encodeBody(renderValues(published, getContent()), published.etag)
      return flattened
    },
    variables() {
      if (variables === undefined) {
        const { public: values, featureFlags, variables: declared } = getContent()
        const open = { ...values, ...featureFlags }
        const { text, headers } = renderVariables({ open, secret: {}, variables: declared }, 'all')
        variables = encodeBody(text, variablesEtag(published.etag, 'all'), headers)
      }
      return variables
    },
    single(key) {
      const text = renderValue(published, getContent(), key)
      return text === undefined ? undefined : encodeBody(text, published.etag).identity
    },
    flags() {
      flags ??= createFlagSet(getFlags())
      return flags
    },
    flagd() {
      flagd ??= encodeDefinition(getFlags())
      return flagd
    },
  }
}

/** Tags the definition by its own text: it stays the same while no flag changes. */
function encodeDefinition(snapshot: FlagsOfSnapshot): EncodedBody {
  const text = renderDefinition(snapshot)
  return encodeBody(text, hash('sha256', text, 'base64url').slice(0, 22))
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
