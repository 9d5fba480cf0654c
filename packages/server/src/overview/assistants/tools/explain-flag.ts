import { explainFlag, listSegmentNames, Problem, type Segments } from '@signalbox/contract'
import { segmentEndpoints } from '@signalbox/contract/rest'
import { z } from 'zod'
import { defineTool, type ToolContext } from '../tool.ts'
import {
  environmentName,
  findEnvironment,
  findKey,
  findSchema,
  readMatrix,
  schemaName,
} from './find-by-name.ts'

/** Explains which rule of a flag decides for a context. */
export const explainFlagTool = defineTool({
  name: 'explain_flag',
  title: 'Explain a flag',
  description:
    'Which rule of a flag decides for a context in an environment, and why, by the evaluator that applications use. `context` holds attributes; `targetingKey` identifies the user.',
  scope: 'read',
  input: z.object({
    schema: schemaName,
    flag: z.string().max(128),
    environment: environmentName,
    context: z
      .record(z.string().max(100), z.union([z.string().max(1024), z.number(), z.boolean()]))
      .default({}),
  }),
  async run(tools, { schema: ref, flag, environment: name, context }) {
    const [schema, environment] = await Promise.all([
      findSchema(tools, ref),
      findEnvironment(tools, name),
    ])
    const matrix = await readMatrix(tools, schema, [environment])
    const row = findKey(matrix, flag)
    const [cell] = row.cells
    const value = cell?.value
    if (row.tier !== 'featureFlags' || typeof value !== 'boolean') {
      throw new Problem('tier_mismatch', 'This key is no flag, or has no value there.')
    }
    const rules = cell?.rules ?? []
    const segments = await readSegments(tools, listSegmentNames(rules))
    const explained = explainFlag(
      { schemaId: schema.id, key: flag, value, rules },
      context,
      segments,
    )
    return { flag, environment: environment.name, ...explained }
  },
})

async function readSegments({ call }: ToolContext, names: readonly string[]): Promise<Segments> {
  const read = await Promise.all(
    names.map((segment) => call(segmentEndpoints.getSegment, { params: { segment } })),
  )
  return Object.fromEntries(read.map(({ name, anyOf }) => [name, anyOf]))
}
