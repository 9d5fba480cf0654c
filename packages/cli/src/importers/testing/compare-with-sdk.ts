import { createRequire } from 'node:module'
import { join } from 'node:path'
import process from 'node:process'
import type { EvaluationContext, ImportSource } from '@signalbox/contract'
import { judges } from '../compare/judges.ts'
import { importers } from '../registry.ts'
import { prepareImported } from './prepare-imported.ts'

const load = createRequire(join(process.cwd(), 'package.json'))
const options = { environment: 'production', environments: new Map<string, string>() }

/** Counts decisions, and lists those of flags that are said to be exact in which the SDK of the product differs. */
export interface SdkComparison {
  readonly decisions: number
  /** Counts the flags with a share. */
  readonly shares: number
  readonly differ: readonly unknown[]
}

/**
 * Decides every flag of the exports with the SDK of the product and with what the import makes of it. `harmless` lists the codes
 * of issues about contexts that are not among these.
 */
export async function compareWithSdk(
  source: ImportSource,
  exports: Iterable<object>,
  contexts: readonly EvaluationContext[],
  harmless?: ReadonlySet<string>,
): Promise<SdkComparison> {
  const [judge, importer] = [judges.get(source), importers.get(source)]
  if (judge === undefined || importer === undefined) throw new Error(`There is no ${source}`)
  let decisions = 0
  let shares = 0
  const differ: unknown[] = []
  for (const document of exports) {
    const text = JSON.stringify(document)
    const sdk = await judge.open(load, text, options)
    const flags = importer.fromFile(text, options).keys.flatMap((key) => {
      const flag = prepareImported(key, harmless)
      return flag === undefined ? [] : [{ key, ...flag }]
    })
    shares += flags.filter(({ hasShare }) => hasShare).length
    const pairs = flags.flatMap((flag) => contexts.map((context) => ({ ...flag, context })))
    for (const { key, decide, context } of pairs) {
      const theirs = await sdk.decide({ key, environment: 'production' }, context)
      // An error is no decision: each call has its own default then.
      if (theirs === null) continue
      const ours = decide(context)
      decisions += 1
      if (ours !== theirs) differ.push({ key, document, context, ours, theirs })
    }
    await sdk.close()
  }
  return { decisions, shares, differ }
}
