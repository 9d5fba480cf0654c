import { createFlagEvaluator } from '@signalbox/contract'
import type { dealingJudges } from './dealing-judges.ts'

/** Asks a client library and our evaluator who is in each share, and returns the units about which they differ. */
export async function compareDealing(
  { deal, percents, open }: (typeof dealingJudges)[number],
  units: readonly string[],
  directory: string,
): Promise<{ readonly differ: readonly string[]; readonly inside: number }> {
  const differ: string[] = []
  let inside = 0
  for (const percent of percents) {
    const judge = await open(deal.key, percent, directory)
    const answers = await judge.ask(units)
    await judge.close()
    const condition = { attribute: 'targetingKey', operator: 'share', percent, deal } as const
    const rules = [{ when: [condition], serve: true }]
    const decide = createFlagEvaluator({ schemaId: 'sch_1', key: 'flag', value: false, rules })
    for (const [index, unit] of units.entries()) {
      const { value } = decide({ targetingKey: unit })
      if (value !== answers[index]) differ.push(`${unit} at ${percent} %`)
      if (value) inside += 1
    }
  }
  return { differ, inside }
}
