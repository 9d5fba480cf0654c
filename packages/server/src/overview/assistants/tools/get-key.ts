import { z } from 'zod'
import { defineTool } from '../tool.ts'
import { toUntrusted } from '../untrusted.ts'
import { presentCell } from './present-cell.ts'
import {
  environmentName,
  findEnvironment,
  findKey,
  findSchema,
  readMatrix,
  schemaName,
} from './find-by-name.ts'

/** Shows a key in every environment. */
export const getKeyTool = defineTool({
  name: 'get_key',
  title: 'Get a key',
  description:
    'A key or flag in every environment: value, rules, source, who set it and when. A secret is set, inherited or missing; its value is never shown. Without `key`: the keys of the schema.',
  scope: 'read',
  input: z.object({
    schema: schemaName,
    key: z.string().max(128).optional(),
    environment: environmentName.optional(),
  }),
  async run(context, { schema: ref, key, environment }) {
    const schema = await findSchema(context, ref)
    if (key === undefined) {
      const keys = Object.entries(schema.schema)
      return {
        schema: schema.name,
        total: keys.length,
        keys: keys.slice(0, 400).map(([name, { tier, type }]) => `${name}: ${tier} ${type}`),
      }
    }
    const only =
      environment === undefined ? undefined : [await findEnvironment(context, environment)]
    const matrix = await readMatrix(context, schema, only)
    const row = findKey(matrix, key)
    const { tier, type, required, hasDefault, constraints, deprecated, drift, owner, tags } = row
    return {
      schema: schema.name,
      key,
      tier,
      type,
      required,
      ...(tier === 'secret' ? { hasDefault } : { default: row.default }),
      constraints,
      deprecated,
      killSwitch: row.killSwitch,
      expires: row.expires,
      rotateEvery: row.rotateEvery,
      drift,
      environments: row.cells.map((cell, index) => presentCell(matrix, { row, cell, index })),
      ...toUntrusted({
        description: row.description,
        owner,
        tags: tags?.join(', '),
        runbook: row.runbook,
      }),
      link: context.linkTo({ page: 'config', search: { schema: schema.id, filter: key } }),
    }
  },
})
