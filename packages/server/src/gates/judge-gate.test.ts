import type { GateRule } from '@signalbox/contract/rest'
import { describe, expect, it } from 'vitest'
import type { DeploymentFacts, TestFact } from './facts.ts'
import type { GateRow } from './gate.ts'
import { judgeDeployment } from './judge-gate.ts'

const now = new Date('2026-12-01T12:00:00.000Z')
const production = { id: 'env_production', name: 'production' }
const staging = { id: 'env_staging', name: 'staging' }
const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000)

/** Holds facts by which no rule is met. */
const bare: DeploymentFacts = {
  now,
  repository: 'acme/shop',
  sha: '4f1c2aa9'.repeat(5),
  ref: 'refs/heads/main',
  isFork: false,
  environment: production,
  freeze: null,
  nameOf: (id) => [production, staging].find((each) => each.id === id)?.name,
  check: null,
  tests: [],
  live: [],
  issues: null,
  quiet: [],
  approvals: () => 0,
}

const gateOf = (rules: GateRule[], more: Partial<GateRow> = {}): GateRow => ({
  id: 'gat_1',
  name: 'Gate',
  environmentIds: [production.id],
  repositories: [],
  mode: 'enforce',
  rules,
  revision: 1,
  createdAt: now,
  updatedAt: now,
  ...more,
})

const testsRule: GateRule = { rule: 'tests', environmentId: staging.id, withinHours: 24 }
const soakRule: GateRule = { rule: 'soak', environmentId: staging.id, minutes: 30 }
const freezeOf = (window: object, exceptHotfix = false): GateRule => ({
  rule: 'freeze',
  windows: [{ days: ['tue'], from: '11:00', to: '13:00', zone: 'UTC', ...window }],
  exceptHotfix,
})
const test = (state: string, more: Partial<TestFact> = {}): TestFact => ({
  environmentId: staging.id,
  name: 'e2e',
  state,
  isDoubtful: false,
  at: ago(10),
  ...more,
})
const checked = (missing: string[], invalid: string[] = [], environmentId = production.id) => ({
  check: [{ environmentId, missing, invalid }],
})
const lived = (from: number, to: number | null, environmentId = staging.id) => ({
  live: [{ environmentId, from: ago(from), to: to === null ? null : ago(to) }],
})
const issues = (done: boolean[], areRead = true) => ({
  issues: { areRead, issues: done.map((isDone, index) => ({ key: `ABC-${index}`, isDone })) },
})
const quiet = (watched: number, failedAt: Date | null, environmentId = production.id) => ({
  quiet: [{ environmentId, watched, failedAt }],
})
const approved = (times: number) => ({ approvals: () => times })
const configuration: GateRule = { rule: 'configuration' }
const issuesRule: GateRule = { rule: 'issues' }
const quietRule: GateRule = { rule: 'quiet' }
const people = (count: number): GateRule => ({ rule: 'approvals', count, members: [] })

type State = readonly [GateRule, Partial<DeploymentFacts>, met: boolean]

/** Lists each rule in each state of what it depends on, and whether it is met, as the guide explains it to people. */
const states: readonly State[] = [
  [configuration, {}, false],
  [configuration, checked([]), true],
  [configuration, checked(['stripeKey']), false],
  [configuration, checked(['a', 'b', 'c', 'd']), false],
  [configuration, checked([], ['retries']), false],
  [configuration, checked(['stripeKey'], [], staging.id), true],
  [testsRule, {}, false],
  [testsRule, { tests: [test('passed')] }, true],
  [testsRule, { tests: [test('passed', { environmentId: production.id })] }, false],
  [testsRule, { tests: [test('failed')] }, false],
  [testsRule, { tests: [test('errored')] }, false],
  [testsRule, { tests: [test('cancelled')] }, false],
  [testsRule, { tests: [test('timed_out')] }, false],
  [testsRule, { tests: [test('skipped')] }, false],
  [testsRule, { tests: [test('running')] }, false],
  [testsRule, { tests: [test('unknown')] }, false],
  [testsRule, { tests: [test('passed'), test('failed', { name: 'smoke' })] }, false],
  [testsRule, { tests: [test('passed'), test('passed', { name: 'smoke' })] }, true],
  [testsRule, { tests: [test('passed', { isDoubtful: true })] }, false],
  [testsRule, { tests: [test('passed', { at: ago(24 * 60) })] }, true],
  [testsRule, { tests: [test('passed', { at: ago(24 * 60 + 1) })] }, false],
  [{ ...testsRule, environmentId: 'env_gone' }, { tests: [test('passed')] }, false],
  [soakRule, {}, false],
  [soakRule, lived(29, null), false],
  [soakRule, lived(30, null), true],
  [soakRule, lived(300, null, production.id), false],
  [soakRule, lived(300, 290), false],
  [soakRule, lived(300, 270), true],
  [{ ...soakRule, environmentId: 'env_gone' }, lived(300, null), false],
  [freezeOf({}), {}, false],
  [freezeOf({ days: ['mon', 'wed'] }), {}, true],
  [freezeOf({ from: '12:00' }), {}, false],
  [freezeOf({ from: '12:01' }), {}, true],
  [freezeOf({ to: '12:00' }), {}, true],
  [freezeOf({ zone: 'Europe/Berlin' }), {}, true],
  [freezeOf({ zone: 'Europe/Berlin', to: '13:01' }), {}, false],
  [freezeOf({ days: ['mon'], from: '18:00', to: '12:30' }), {}, false],
  [freezeOf({ days: ['tue'], from: '18:00', to: '12:30' }), {}, true],
  [freezeOf({ days: ['tue'], from: '09:00', to: '09:00' }), {}, false],
  [freezeOf({ zone: 'Nowhere/None' }), {}, false],
  [freezeOf({}), { ref: 'refs/heads/hotfix/login' }, false],
  [freezeOf({}, true), { ref: 'refs/heads/hotfix/login' }, true],
  [freezeOf({}, true), { ref: 'hotfix-1' }, true],
  [freezeOf({}, true), { ref: 'refs/heads/no-hotfix' }, false],
  [freezeOf({}, true), { ref: null }, false],
  [issuesRule, {}, false],
  [issuesRule, issues([]), true],
  [issuesRule, issues([true, true]), true],
  [issuesRule, issues([true, false]), false],
  [issuesRule, issues([true], false), false],
  [quietRule, {}, true],
  [quietRule, quiet(1, null), false],
  [quietRule, quiet(0, ago(5)), false],
  [quietRule, quiet(3, ago(5), staging.id), true],
  [people(1), {}, false],
  [people(1), approved(1), true],
  [people(2), approved(1), false],
  [people(2), approved(3), true],
]

/** Lists the circumstances that a deployment may have beside its rules. */
const circumstances = [true, false].flatMap((isFork) =>
  [true, false].flatMap((isFrozen) =>
    [true, false].flatMap((isKnown) =>
      (['enforce', 'watch'] as const).map((mode) => ({ isFork, isFrozen, isKnown, mode })),
    ),
  ),
)

const freeze = { until: ago(-60), reason: 'Sale', by: 'Ada' }

type Circumstances = (typeof circumstances)[number]

function factsOf(facts: Partial<DeploymentFacts>, of: Circumstances): DeploymentFacts {
  const { isFork, isFrozen, isKnown } = of
  return {
    ...bare,
    ...facts,
    isFork,
    freeze: isFrozen ? freeze : null,
    environment: isKnown ? production : null,
  }
}

/** Decides in the order in which a person would ask. */
function expectState(met: boolean, { isFork, isFrozen, isKnown, mode }: Circumstances) {
  if (isFork) return 'refused'
  if (!isKnown) return 'passed'
  if (isFrozen) return 'waiting'
  return met || mode === 'watch' ? 'passed' : 'waiting'
}

describe('the judgement of a deployment', () => {
  it('is that of the oracle for each rule in each state and circumstance', () => {
    const rows = states.flatMap(([rule, facts, met]) =>
      circumstances.map((of) => {
        const { state } = judgeDeployment([gateOf([rule], { mode: of.mode })], factsOf(facts, of))
        return { rule, of, state, expected: expectState(met, of) }
      }),
    )
    expect(rows.length).toBeGreaterThan(800)
    expect(rows.filter(({ state, expected }) => state !== expected)).toEqual([])
  })

  it('waits until every rule of every gate that covers it is met', () => {
    const meets = states.filter(([, , met]) => met)
    const waits = states.filter(([, , met]) => !met)
    const merge = (one: State, other: State) => ({ ...bare, ...one[1], ...other[1] })
    const areApart = (one: State, other: State) => one[0].rule !== other[0].rule
    const pairs = meets.flatMap((one) => waits.map((other) => [one, other] as const))
    const wrong = pairs
      .filter(([one, other]) => areApart(one, other))
      .filter(([one, other]) => {
        const facts = merge(one, other)
        // A fact of one rule may be the reason of the other.
        const alone = judgeDeployment([gateOf([other[0]])], facts).state
        const both = [gateOf([one[0], other[0]]), gateOf([one[0]]), gateOf([other[0]])] as const
        const together = [
          judgeDeployment([both[0]], facts).state,
          judgeDeployment([both[1], both[2]], facts).state,
        ]
        return alone === 'waiting' && together.some((state) => state !== 'waiting')
      })
    expect(wrong).toEqual([])
  })

  it('counts the gates of its environment and repository alone', () => {
    const state = (more: Partial<GateRow>) =>
      judgeDeployment([gateOf([configuration], more)], bare).state
    expect(state({ environmentIds: [staging.id] })).toBe('passed')
    expect(state({ environmentIds: [staging.id, production.id] })).toBe('waiting')
    expect(state({ repositories: ['acme/other'] })).toBe('passed')
    expect(state({ repositories: ['acme/other', 'Acme/Shop'] })).toBe('waiting')
  })

  it('says what the deployment waits for, and what a person does about it', () => {
    const { reasons, waitsFor } = judgeDeployment([gateOf([configuration, testsRule])], {
      ...bare,
      ...checked(['stripeKey']),
    })
    expect(reasons.map(({ text }) => text)).toEqual([
      'production lacks stripeKey.',
      'Waits for the tests of 4f1c2aa in staging.',
    ])
    expect(reasons.every(({ nextStep }) => nextStep !== null)).toBe(true)
    expect(waitsFor).toBe('the configuration of production and 1 more')
  })

  it('says so where no gate covers the deployment', () => {
    const { state, reasons } = judgeDeployment([], bare)
    expect(state).toBe('passed')
    expect(reasons.map(({ code }) => code)).toEqual(['no_gate'])
  })

  it('lets a freeze end at its time', () => {
    const at = (until: Date) => judgeDeployment([], { ...bare, freeze: { ...freeze, until } }).state
    expect(at(new Date(now.getTime() + 1))).toBe('waiting')
    expect(at(now)).toBe('passed')
  })

  it('keeps a window by the clock of its zone through both changes of summer time', () => {
    const gate = gateOf([
      freezeOf({ days: ['sat', 'sun'], from: '22:00', to: '06:00', zone: 'Europe/Berlin' }),
    ])
    const state = (at: string) => judgeDeployment([gate], { ...bare, now: new Date(at) }).state
    // Summer time begins on the night of 2027-03-28, a Sunday, and ends on that of 2026-10-25.
    expect(state('2027-03-27T20:59:00Z')).toBe('passed')
    expect(state('2027-03-27T21:00:00Z')).toBe('waiting')
    expect(state('2027-03-28T03:59:00Z')).toBe('waiting')
    expect(state('2027-03-28T04:00:00Z')).toBe('passed')
    expect(state('2026-10-24T19:59:00Z')).toBe('passed')
    expect(state('2026-10-24T20:00:00Z')).toBe('waiting')
    expect(state('2026-10-25T04:59:00Z')).toBe('waiting')
    expect(state('2026-10-25T05:00:00Z')).toBe('passed')
  })
})
