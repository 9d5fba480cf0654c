import fc from 'fast-check'

/** Describes a step of a pipeline, of its code host, of somebody, or of the world. */
export type GatesStep =
  | { readonly kind: 'tell' | 'ask'; readonly run: number; readonly attempt: number }
  | {
      readonly kind: 'test'
      readonly commit: number
      readonly state: 'passed' | 'failed' | 'running'
    }
  | { readonly kind: 'freeze'; readonly minutes: number }
  | { readonly kind: 'unfreeze' }
  | { readonly kind: 'rules'; readonly hasTests: boolean }
  | { readonly kind: 'approve'; readonly run: number; readonly by: Person }
  | { readonly kind: 'role'; readonly of: Person; readonly role: 'developer' | 'viewer' }
  | { readonly kind: 'override' | 'refuse'; readonly run: number }
  | { readonly kind: 'time'; readonly minutes: number }
  | { readonly kind: 'work' }
  /** The process ends after the code host has the answer and before the service knows it. */
  | { readonly kind: 'cut' }
  /** The code host is away while the service works. */
  | { readonly kind: 'away' }

export const persons = ['ada', 'ben'] as const
export type Person = (typeof persons)[number]

const run = fc.nat(1)
const attempt = fc.constantFrom(1, 1, 1, 2)
const by = fc.constantFrom(...persons)
const of = <Fields extends object>(
  weight: number,
  fields: { [Name in keyof Fields]: fc.Arbitrary<Fields[Name]> },
) => ({
  weight,
  arbitrary: fc.record(fields),
})

/** Makes one step. */
export const gatesStep: fc.Arbitrary<GatesStep> = fc.oneof(
  of(6, { kind: fc.constant('tell' as const), run, attempt }),
  of(3, { kind: fc.constant('ask' as const), run, attempt }),
  of(5, {
    kind: fc.constant('test' as const),
    commit: fc.nat(1),
    state: fc.constantFrom(
      'passed' as const,
      'passed' as const,
      'failed' as const,
      'running' as const,
    ),
  }),
  of(1, { kind: fc.constant('freeze' as const), minutes: fc.constantFrom(10, 600) }),
  of(2, { kind: fc.constant('unfreeze' as const) }),
  of(1, { kind: fc.constant('rules' as const), hasTests: fc.boolean() }),
  of(7, { kind: fc.constant('approve' as const), run, by }),
  of(2, {
    kind: fc.constant('role' as const),
    of: by,
    role: fc.constantFrom('developer' as const, 'viewer' as const),
  }),
  of(1, { kind: fc.constantFrom('override' as const, 'refuse' as const), run }),
  of(2, { kind: fc.constant('time' as const), minutes: fc.constantFrom(1, 20) }),
  of(6, { kind: fc.constant('work' as const) }),
  of(3, { kind: fc.constant('cut' as const) }),
  of(4, { kind: fc.constant('away' as const) }),
)
