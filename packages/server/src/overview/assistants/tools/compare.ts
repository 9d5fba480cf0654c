import { configVersionEndpoints } from '@signalbox/contract/rest'
import { z } from 'zod'
import { defineTool, type ToolContext } from '../tool.ts'
import { toUntrusted } from '../untrusted.ts'
import {
  environmentName,
  findEnvironment,
  findSchema,
  readMatrix,
  schemaName,
} from './find-by-name.ts'
import { presentCell } from './present-cell.ts'
import { Problem } from '@signalbox/contract'

const mostKeys = 100

/** Compares two environments, or two versions. */
export const compareTool = defineTool({
  name: 'compare',
  title: 'Compare',
  description:
    'The keys of a schema that differ between two environments; or with `version` (ver_…) what that version changed, or how it differs from `against`. Values of secrets are not compared.',
  scope: 'read',
  input: z.object({
    schema: schemaName.optional(),
    environment: environmentName.optional(),
    other: environmentName.optional(),
    version: z.string().max(40).optional(),
    against: z.string().max(40).optional(),
  }),
  async run(context, { schema, environment, other, version, against }) {
    if (version !== undefined) return compareVersions(context, version, against)
    if (schema === undefined || environment === undefined || other === undefined) {
      const detail = 'Use schema, environment and other, or a version.'
      throw new Problem('validation_failed', detail)
    }
    return compareEnvironments(context, { schema, names: [environment, other] })
  },
})

async function compareVersions({ call }: ToolContext, version: string, against?: string) {
  const { changes, ...rest } = await call(configVersionEndpoints.getConfigVersion, {
    params: { version_id: version },
    query: { against },
  })
  return {
    version: rest.version,
    kind: rest.kind,
    at: rest.createdAt,
    changes: changes.slice(0, mostKeys),
    moreKeys: Math.max(0, changes.length - mostKeys),
    ...toUntrusted({ by: rest.author.name, comment: rest.comment }),
  }
}

async function compareEnvironments(
  context: ToolContext,
  { schema: ref, names }: { readonly schema: string; readonly names: readonly [string, string] },
) {
  const [schema, ...environments] = await Promise.all([
    findSchema(context, ref),
    findEnvironment(context, names[0]),
    findEnvironment(context, names[1]),
  ])
  const matrix = await readMatrix(context, schema, environments)
  const differing = matrix.keys.filter(({ tier, cells }) => {
    const [one, two] = cells
    if (one === undefined || two === undefined) return false
    if (tier === 'secret') return (one.source === 'missing') !== (two.source === 'missing')
    const textOf = ({ value, rules = [] }: typeof one) => JSON.stringify([value ?? null, rules])
    return textOf(one) !== textOf(two)
  })
  return {
    schema: schema.name,
    environments: matrix.environments.map(({ name }) => name),
    differing: differing.slice(0, mostKeys).map((row) => ({
      key: row.key,
      tier: row.tier,
      expectedToDiffer: row.expectedToDiffer,
      cells: row.cells.map((cell, index) => presentCell(matrix, { row, cell, index })),
    })),
    moreKeys: Math.max(0, differing.length - mostKeys),
  }
}
