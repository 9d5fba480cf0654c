import { signalKinds } from '@signalbox/contract'
import type { SignalSpec } from '@signalbox/contract/rest'
import { switchFlag, textFlag } from '../../cli-context.ts'
import { parseDuration } from '../../terminal/times.ts'

const number = (brief: string) =>
  ({ kind: 'parsed', parse: parseNumber, optional: true, brief, placeholder: 'number' }) as const

function parseNumber(text: string): number {
  const value = Number(text)
  if (text.trim() !== '' && Number.isFinite(value)) return value
  throw new Error('Use a number, such as 0.5')
}

/** Names the flag with the kind of a signal. */
export const kindFlag = {
  kind: 'enum',
  values: signalKinds,
  brief: 'Where its news comes from',
} as const

/** Lists the flags that say where a signal reads, and what is bad. */
export const specFlags = {
  repository: textFlag('name', 'tests: repository with the workflow, such as acme/shop'),
  workflow: textFlag('file', 'tests: workflow that each change starts, such as e2e.yml'),
  deadline: {
    kind: 'parsed',
    parse: parseDuration,
    optional: true,
    brief: 'tests: how long a run may take (default 30m)',
    placeholder: 'duration',
  },
  sentry: switchFlag('alert: Sentry sends them, signed with the client secret'),
  url: textFlag('address', 'prometheus, http: address to read'),
  query: textFlag('promql', 'prometheus: query, with {environment} {schema} {version} {flag}'),
  above: number('prometheus, http: bad above this number'),
  below: number('prometheus, http: bad below this number'),
  timesBefore: number('prometheus: bad beyond so many times the value from before'),
  pointer: textFlag('pointer', 'http: member of the JSON answer, such as /errors/rate'),
  equals: textFlag('value', 'http: bad when the member is another value'),
} as const

/** Holds what those flags give. */
export interface SpecFlags {
  readonly repository?: string | undefined
  readonly workflow?: string | undefined
  readonly deadline?: number | undefined
  readonly sentry?: boolean | undefined
  readonly url?: string | undefined
  readonly query?: string | undefined
  readonly above?: number | undefined
  readonly below?: number | undefined
  readonly timesBefore?: number | undefined
  readonly pointer?: string | undefined
  readonly equals?: string | undefined
}

/** Returns whether one of the flags is there. */
export function changesSpec(flags: SpecFlags): boolean {
  return Object.keys(specFlags).some((name) => Reflect.get(flags, name) !== undefined)
}

/**
 * Returns the spec of the flags, with what `before` says where a flag is left out. The server checks it, and names what is
 * missing.
 */
export function toSpec(
  kind: SignalSpec['kind'],
  flags: SpecFlags,
  before: object = {},
): SignalSpec {
  const { sentry, deadline, repository, workflow, url, query, timesBefore } = flags
  const { above, below } = flags
  const byKind = {
    tests: {
      repository,
      workflow,
      deadlineMinutes: deadline === undefined ? undefined : Math.ceil(deadline / 60_000),
    },
    alert: { format: sentry === true ? 'sentry' : undefined },
    prometheus: { url, query, above, below, timesBefore },
    http: { url, expect: toExpectation(flags, Reflect.get(before, 'expect')) },
  }
  // The server refuses what is not complete, with the place.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return { ...before, kind, ...present(byKind[kind]) } as SignalSpec
}

function toExpectation({ pointer, above, below, equals }: SpecFlags, before: unknown): unknown {
  const members = present({
    pointer,
    above,
    below,
    equals: equals === undefined ? undefined : toScalar(equals),
  })
  if (Object.keys(members).length === 0) return before ?? '2xx'
  return { ...(typeof before === 'object' && before), ...members }
}

function toScalar(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true'
  return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text
}

function present(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}
