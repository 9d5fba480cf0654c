import { canonicalJson, type SignalKind } from '@signalbox/contract'
import type { RequestOf } from '../../api/routes.ts'
import type { Signal } from '../proofs/use-signals.ts'

type Body = NonNullable<RequestOf<'POST /organizations/{org_id}/signals'>['body']>
type Change = NonNullable<RequestOf<'PATCH /organizations/{org_id}/signals/{signal_id}'>['body']>
type Spec = Body['spec']

/** Holds the fields of the form as texts. Those of other kinds keep what was typed. */
export interface SignalDraft {
  readonly name: string
  readonly kind: SignalKind
  readonly repository: string
  readonly workflow: string
  readonly deadlineMinutes: string
  readonly isSentry: boolean
  readonly clientSecret: string
  readonly url: string
  readonly query: string
  readonly expects: '2xx' | 'value'
  readonly pointer: string
  /** Says how a number is compared with `limit`. `equals`: the answer of a page has to be that. */
  readonly compares: 'above' | 'below' | 'equals'
  readonly limit: string
  readonly timesBefore: string
  readonly authorization: string
  readonly removesAuthorization: boolean
}

/** Holds the form of a new signal. */
export const freshSignal: SignalDraft = {
  name: '',
  kind: 'alert',
  repository: '',
  workflow: '',
  deadlineMinutes: '30',
  isSentry: false,
  clientSecret: '',
  url: '',
  query: '',
  expects: '2xx',
  pointer: '',
  compares: 'above',
  limit: '',
  timesBefore: '',
  authorization: '',
  removesAuthorization: false,
}

/** Returns the form of a signal that is there. Its secrets are never in it. */
export function toDraft({ name, kind, spec }: Pick<Signal, 'name' | 'kind' | 'spec'>): SignalDraft {
  const draft = { ...freshSignal, name, kind }
  switch (spec?.kind) {
    case 'tests':
      return { ...draft, ...spec, deadlineMinutes: String(spec.deadlineMinutes) }
    case 'alert':
      return { ...draft, isSentry: spec.format === 'sentry' }
    case 'prometheus': {
      const { url, query, timesBefore } = spec
      return { ...draft, url, query, ...toLimit(spec), timesBefore: toText(timesBefore) }
    }
    case 'http': {
      const { url, expect } = spec
      if (expect === '2xx') return { ...draft, url }
      return { ...draft, url, expects: 'value', pointer: expect.pointer, ...toLimit(expect) }
    }
    case undefined:
      return draft
  }
}

interface Compared {
  readonly above?: number | undefined
  readonly below?: number | undefined
  readonly equals?: string | number | boolean | undefined
}

function toLimit({ above, below, equals }: Compared): Pick<SignalDraft, 'compares' | 'limit'> {
  if (equals !== undefined) {
    const isPlain = typeof equals !== 'string' || readEquals(equals) === equals
    return { compares: 'equals', limit: isPlain ? String(equals) : JSON.stringify(equals) }
  }
  return below === undefined
    ? { compares: 'above', limit: toText(above) }
    : { compares: 'below', limit: String(below) }
}

function toText(value: number | undefined): string {
  return value === undefined ? '' : String(value)
}

/** Returns what the fields describe. */
function toSpec(draft: SignalDraft): Spec {
  const { kind, repository, workflow, deadlineMinutes, isSentry, url, query, timesBefore } = draft
  switch (kind) {
    case 'tests':
      return { kind, repository, workflow, deadlineMinutes: Number(deadlineMinutes) }
    case 'alert':
      return { kind, ...(isSentry && { format: 'sentry' }) }
    case 'prometheus':
      return {
        kind,
        url,
        query,
        ...toCompared(draft),
        ...(timesBefore !== '' && { timesBefore: Number(timesBefore) }),
      }
    case 'http':
      return {
        kind,
        url,
        expect: draft.expects === '2xx' ? '2xx' : { pointer: draft.pointer, ...toCompared(draft) },
      }
  }
}

function toCompared({ kind, compares, limit }: SignalDraft) {
  if (limit === '') return {}
  if (compares === 'equals') return kind === 'http' ? { equals: readEquals(limit) } : {}
  return { [compares]: Number(limit) }
}

/** Returns what a page has to answer: a number, true or false, or else a text. Quotes make a text of `"5"`. */
function readEquals(text: string): string | number | boolean {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string')
      return value
  } catch {
    // It is a text without quotes.
  }
  return text
}

/** Returns the body that creates a signal. */
export function toBody(draft: SignalDraft): Body {
  return { name: draft.name, spec: toSpec(draft), ...toCredentials(draft) }
}

/** Returns the body that changes a signal. What stays is left out: only another spec may need approvals. */
export function toChange(
  draft: SignalDraft,
  saved: Pick<Signal, 'name' | 'kind' | 'spec'>,
): Change {
  const spec = toSpec(draft)
  const isSame = canonicalJson(spec) === canonicalJson(toSpec(toDraft(saved)))
  return {
    ...(draft.name !== saved.name && { name: draft.name }),
    ...(!isSame && { spec }),
    ...toCredentials(draft),
  }
}

function toCredentials({ kind, isSentry, clientSecret, ...draft }: SignalDraft) {
  if (kind === 'alert') return isSentry && clientSecret !== '' ? { clientSecret } : {}
  if (kind === 'tests') return {}
  const { authorization, removesAuthorization } = draft
  if (authorization !== '') return { authorization }
  return removesAuthorization ? { authorization: null } : {}
}

/** Returns whether a query is about the change that is watched, so that a test needs one. */
export function hasPlaceholder(spec: Signal['spec']): boolean {
  return spec?.kind === 'prometheus' && /\{(?:environment|schema|version|flag)\}/.test(spec.query)
}
