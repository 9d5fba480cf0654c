import { parseDocuments } from '../read-documents.ts'
import { silent, type Judge } from './judge.ts'

interface Core {
  setConfigurations(definition: string): unknown
  resolve(
    type: string,
    key: string,
    fallback: unknown,
    context: object,
  ): { readonly value: unknown; readonly variant?: string }
}

/** Decides with the evaluator of flagd for JavaScript, which its in-process provider uses. */
export const flagdJudge: Judge = {
  packages: ['@openfeature/flagd-core', '@openfeature/core'],
  open(load, text) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the SDK is the project's; a missing class is reported
    const { FlagdCore } = load('@openfeature/flagd-core') as {
      FlagdCore: new (storage: undefined, logger: object) => Core
    }
    const [definition] = parseDocuments(text)
    const core = new FlagdCore(undefined, silent)
    core.setConfigurations(JSON.stringify(definition))
    return {
      decide({ key }, context) {
        const value = key.values[0]?.value
        for (const type of key.tier === 'featureFlags' ? ['boolean'] : [typeof value, 'object']) {
          const result = core.resolve(type, key.from, null, context)
          if (result.value !== null) return key.variants ? result.variant : result.value
        }
        return null
      },
      close() {},
    }
  },
}
