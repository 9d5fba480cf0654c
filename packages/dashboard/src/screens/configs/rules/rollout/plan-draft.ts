import type { StepTerms } from './describe-plan.ts'

/** Maps each unit of a hold to its minutes. */
export const holdUnits = { minutes: 1, hours: 60, days: 1440 } as const

/** Lists minutes, hours and days, in which people think of a hold. */
export type HoldUnit = keyof typeof holdUnits

/** Holds a step as it is typed. */
export interface StepDraft {
  /** Stays with the step while others are added and removed. */
  readonly id: number
  readonly percent: string
  readonly hold: string
  readonly unit: HoldUnit
  readonly approve: boolean
  /** Lists what watches it. Empty: what watches the whole rollout. */
  readonly signals: readonly string[]
}

const unitNames: readonly HoldUnit[] = ['days', 'hours', 'minutes']

/** Returns steps as a form edits them, each hold in the largest unit that fits. */
export function toDrafts(steps: readonly StepTerms[]): readonly StepDraft[] {
  return steps.map(({ percent, holdMinutes, approve = false, signals = [] }, id) => {
    const unit = unitNames.find((name) => holdMinutes % holdUnits[name] === 0) ?? 'minutes'
    const hold = String(holdMinutes / holdUnits[unit])
    return { id, percent: String(percent), hold, unit, approve, signals }
  })
}

/** Holds the steps that a form begins with. */
export const startSteps = toDrafts(
  [5, 25, 50, 100].map((percent) => ({ percent, holdMinutes: holdUnits.days })),
)

/** Returns the steps that are typed. */
export function toSteps(drafts: readonly StepDraft[]): StepTerms[] {
  return drafts.map(({ percent, hold, unit, approve, signals }) => ({
    percent: Number(percent),
    holdMinutes: Math.round(Number(hold) * holdUnits[unit]),
    ...(approve && { approve }),
    ...(signals.length > 0 && { signals: [...signals] }),
  }))
}

/** Adds a step halfway to everyone, with the hold of the last one. */
export function addStep(drafts: readonly StepDraft[]): readonly StepDraft[] {
  const last = drafts.at(-1)
  const percent = String(Math.ceil((Number(last?.percent ?? 0) + 100) / 2))
  const id = 1 + Math.max(-1, ...drafts.map((draft) => draft.id))
  return [...drafts, { hold: '1', unit: 'days', signals: [], ...last, id, percent, approve: false }]
}

/** Returns which step serves no more than the one before. `undefined`: each serves more. */
export function findNotRising(drafts: readonly StepDraft[]): number | undefined {
  const at = drafts.findIndex(
    ({ percent }, index) => index > 0 && Number(percent) <= Number(drafts[index - 1]?.percent),
  )
  return at < 0 ? undefined : at
}
