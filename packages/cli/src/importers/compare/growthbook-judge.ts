import type { EvaluationContext } from '@signalbox/contract'
import { parseJson, requireObject } from '../read-json.ts'
import { nest, splitContext, type Judge } from './judge.ts'

interface Client {
  setAttributes(attributes: object): unknown
  evalFeature(key: string): { readonly value: unknown }
  destroy(): void
}

/** Decides with the JavaScript SDK of GrowthBook, which gets the payload. */
export const growthbookJudge: Judge = {
  packages: ['@growthbook/growthbook'],
  open(load, text) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the SDK is the project's; a missing class is reported
    const { GrowthBook } = load('@growthbook/growthbook') as {
      GrowthBook: new (options: object) => Client
    }
    const { features, savedGroups } = requireObject(parseJson(text), 'The payload')
    const client = new GrowthBook({ features, savedGroups: savedGroups ?? {} })
    return {
      async decide({ key }, context) {
        await client.setAttributes(toTheirs(context))
        return client.evalFeature(key.from).value
      },
      close() {
        client.destroy()
      },
    }
  },
}

function toTheirs(context: EvaluationContext): object {
  const { id, rest } = splitContext(context)
  const attributes = nest(Object.entries(rest).map(([name, value]) => [name.split('.'), value]))
  return { ...attributes, ...(id !== undefined && { id }) }
}
