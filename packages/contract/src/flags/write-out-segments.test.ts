import { describe, expect, inject, it } from 'vitest'
import { createFlagEvaluator } from './evaluate-flag.ts'
import { explainFlag } from './explain-flag.ts'
import type {
  AttributeCondition,
  EvaluationContext,
  FlagCondition,
  FlagRule,
  SegmentGroup,
  Segments,
} from './flag-rules.ts'
import { countWrittenRules, listSegmentNames, writeOutSegments } from './write-out-segments.ts'

const acme: AttributeCondition = { attribute: 'email', operator: 'endsWith', value: '@acme.test' }
const pro: AttributeCondition = { attribute: 'plan', operator: 'equals', value: 'pro' }
const adult: AttributeCondition = { attribute: 'age', operator: 'greaterOrEqual', value: 18 }
const notAcme: AttributeCondition = { ...acme, not: true }
const notPro: AttributeCondition = { ...pro, not: true }
const inStaff: FlagCondition = { operator: 'segment', segment: 'staff' }
const notInStaff: FlagCondition = { ...inStaff, not: true }
const segments: Segments = { staff: [{ when: [acme, adult] }, { when: [pro] }] }

describe('rules with segments', () => {
  it('become a rule for each group, with the same value', () => {
    const rules: FlagRule[] = [
      { description: 'ours', when: [adult, inStaff], serve: { percent: 10 } },
      { when: [], serve: false },
    ]
    expect(writeOutSegments(rules, segments)).toEqual([
      { description: 'ours', when: [adult, acme, adult], serve: { percent: 10 } },
      { description: 'ours', when: [adult, pro], serve: { percent: 10 } },
      { when: [], serve: false },
    ])
  })

  it('become one for each way to be outside of every group', () => {
    expect(writeOutSegments([{ when: [notInStaff], serve: true }], segments)).toEqual([
      { when: [notAcme, notPro], serve: true },
      { when: [{ ...adult, not: true }, notPro], serve: true },
    ])
    const open: Segments = { staff: [{ when: [notAcme] }] }
    expect(writeOutSegments([{ when: [notInStaff], serve: true }], open)).toEqual([
      { when: [acme], serve: true },
    ])
  })

  it('are dropped where the segment does not exist, negated or not', () => {
    for (const condition of [inStaff, notInStaff]) {
      const rules = [{ when: [condition], serve: true }]
      expect(writeOutSegments(rules, {})).toEqual([])
      expect(countWrittenRules(rules, {})).toBe(0)
    }
    expect(
      writeOutSegments([{ when: [{ ...inStaff, segment: 'toString' }], serve: true }], {}),
    ).toEqual([])
  })

  it('are counted without being written out, however many they would be', () => {
    const group: SegmentGroup = { when: Array.from({ length: 20 }, () => acme) }
    const large: Segments = { staff: Array.from({ length: 20 }, () => group) }
    expect(countWrittenRules([{ when: [notInStaff, inStaff], serve: true }], large)).toBe(
      20 ** 20 * 20,
    )
  })

  it('name their segments, each once', () => {
    const other: FlagCondition = { operator: 'segment', segment: 'beta', not: true }
    const rules: FlagRule[] = [
      { when: [inStaff, pro, other], serve: true },
      { when: [notInStaff], serve: false },
    ]
    expect(listSegmentNames(rules)).toEqual(['staff', 'beta'])
  })
})

/** Returns whole numbers below a bound, the same ones for a seed. */
function createChance(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

type Chance = ReturnType<typeof createChance>

const plain = [
  acme,
  pro,
  adult,
  notAcme,
  notPro,
  { attribute: 'plan', operator: 'exists' },
] as const
const names = ['staff', 'beta', 'nobody'] as const

function pick<T>(chance: Chance, list: readonly T[]): T {
  const picked = list[chance(list.length)]
  if (picked === undefined) throw new Error('an empty list')
  return picked
}

const several = <T>(chance: Chance, most: number, make: () => T): T[] =>
  Array.from({ length: 1 + chance(most) }, make)

const toSegment = (chance: Chance): SegmentGroup[] =>
  several(chance, 3, () => ({ when: several(chance, 3, () => pick(chance, plain)) }))

function toRule(chance: Chance): FlagRule {
  const when = Array.from({ length: chance(4) }, (): FlagCondition => {
    if (chance(2) === 0) return pick(chance, plain)
    const segment = pick(chance, names)
    return { operator: 'segment', segment, ...(chance(2) === 0 && { not: true }) }
  })
  const serves = [true, false, { percent: 50 }, { percent: 50, by: 'plan' }]
  return { when, serve: pick(chance, serves) }
}

function toContext(chance: Chance): EvaluationContext {
  return {
    ...(chance(4) > 0 && { targetingKey: `user-${chance(100)}` }),
    ...(chance(2) === 0 && { email: pick(chance, ['a@acme.test', 'b@other.test']) }),
    ...(chance(2) === 0 && { plan: pick(chance, ['pro', 'free', 1]) }),
    ...(chance(2) === 0 && { age: chance(40) }),
  }
}

/** Decides by the rules as they are stored: the first one whose conditions hold, the segments looked up. */
function decideDirectly(
  rules: readonly FlagRule[],
  context: EvaluationContext,
  known: Segments,
): object {
  const flag = { schemaId: 'sch_1', key: 'flag', value: false }
  const holds = (condition: AttributeCondition): boolean => {
    const rule = { when: [condition], serve: true }
    return createFlagEvaluator({ ...flag, rules: [rule] })(context).value
  }
  for (const { when, serve } of rules) {
    const all = when.every((condition) => {
      if (condition.operator !== 'segment') return holds(condition)
      const groups = known[condition.segment]
      if (groups === undefined) return false
      const isIn = groups.some((group) => group.when.every(holds))
      return isIn !== (condition.not === true)
    })
    if (!all) continue
    const evaluate = createFlagEvaluator({ ...flag, rules: [{ when: [], serve }] })
    const { value, reason } = evaluate(context)
    if (reason !== 'value') return { value, reason }
  }
  return { value: false, reason: 'value' }
}

describe('written out', () => {
  it('rules decide as they do with their segments, for thousands of random ones', () => {
    const decisions = new Map<string, number>()
    for (let seed = 1; seed <= 1000 * inject('scale'); seed += 1) {
      const chance = createChance(seed)
      const known = { staff: toSegment(chance), beta: toSegment(chance) }
      const rules = Array.from({ length: 1 + chance(4) }, () => toRule(chance))
      const flag = { schemaId: 'sch_1', key: 'flag', value: false }
      const written = writeOutSegments(rules, known)
      expect(written.length).toBe(countWrittenRules(rules, known))
      expect(listSegmentNames(written)).toEqual([])
      const evaluate = createFlagEvaluator({ ...flag, rules: written })
      for (let n = 0; n < 5; n += 1) {
        const context = toContext(chance)
        const direct = decideDirectly(rules, context, known)
        expect([seed, evaluate(context)]).toMatchObject([seed, direct])
        const {
          reason,
          decidedBy,
          rules: explained,
          ...explanation
        } = explainFlag({ ...flag, rules }, context, known)
        expect([seed, { ...explanation, reason }]).toMatchObject([seed, direct])
        expect(decidedBy === undefined || explained[decidedBy]?.holds).toBe(true)
        decisions.set(reason, (decisions.get(reason) ?? 0) + 1)
      }
    }
    expect([...decisions.keys()].toSorted()).toEqual(['rule', 'split', 'unknown', 'value'])
  })
})
