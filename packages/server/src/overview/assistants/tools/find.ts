import { searchEndpoints } from '@signalbox/contract/rest'
import { z } from 'zod'
import { defineTool } from '../tool.ts'
import { toUntrusted } from '../untrusted.ts'

/** Finds keys, flags and other things by text. */
export const findTool = defineTool({
  name: 'find',
  title: 'Find',
  description: 'Find keys, flags, schemas, segments, environments and deployments by a text.',
  scope: 'read',
  input: z.object({ text: z.string().trim().min(1).max(100) }),
  async run({ call }, { text }) {
    const { items } = await call(searchEndpoints.searchOrganization, { query: { query: text } })
    return {
      results: items
        .filter(({ kind }) => kind !== 'member' && kind !== 'page')
        .map(({ kind, id, title, detail, state, at }) => ({
          kind,
          id,
          ...(kind === 'deployment' ? { state, at } : { name: title }),
          ...toUntrusted(kind === 'deployment' ? { title, detail } : { detail }),
        })),
    }
  },
})
