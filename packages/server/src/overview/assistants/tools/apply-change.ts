import { Problem } from '@signalbox/contract'
import { changeRequestEndpoints, configMatrixEndpoints } from '@signalbox/contract/rest'
import { z } from 'zod'
import { defineTool, type ToolContext } from '../tool.ts'
import { changeFields, changeInput, readChanges, toBody, type NamedChange } from './change-input.ts'
import { toReviewLink } from './review-link.ts'

/** Applies a change that was proposed. */
export const applyChangeTool = defineTool({
  name: 'apply_change',
  title: 'Apply a change',
  description:
    'Save a change that propose_change has shown, only when the person asks for it. Needs a token that applies, the `expectedVersion` of each environment, and in `keys` exactly the keys that change. Never production or a protected environment: with `request` people are asked for the change there, otherwise the answer is the review link.',
  scope: 'write',
  input: z.object({
    ...changeFields,
    request: z
      .object({ title: z.string().min(1).max(200), reason: z.string().max(2000).optional() })
      .optional()
      .describe('Asks people to approve and apply the change, where you may not'),
    keys: z.array(z.string().max(128)).min(1).max(50).describe('Exactly the keys that change'),
    changes: z
      .array(z.object({ ...changeInput, expectedVersion: z.number().int().min(0) }))
      .min(1)
      .max(20),
  }),
  async run(context, input) {
    requireNamed(input.keys, input.changes)
    const { schema, changes, nameOf, watched } = await readChanges(context, input)
    const body = {
      schemaId: schema.id,
      changes: changes.map(({ input: named, ...change }) => ({
        ...toBody(change),
        expectedVersion: named.expectedVersion,
      })),
      ...(input.comment !== undefined && { comment: input.comment }),
      ...watched,
    }
    const { personRequired, requires } = await context.call(configMatrixEndpoints.changeConfig, {
      body: { ...body, dryRun: true },
    })
    if (personRequired.length > 0) {
      // A name that nobody approves is typed by the person who saves the change.
      const isTyped = requires.some(({ confirm, approvals }) => confirm && approvals === 0)
      if (input.request !== undefined && !isTyped) {
        const operation = {
          schemaId: schema.id,
          changes: changes.map(toBody),
          confirm: requires.filter(({ confirm }) => confirm).map(({ environment }) => environment),
          comment: input.comment ?? input.request.title,
          ...watched,
        }
        return askForChange(context, {
          ...input.request,
          operation: { kind: 'values', body: operation },
        })
      }
      return {
        applied: false,
        personRequired,
        reviewLink: toReviewLink(context, { schema, changes: changes.map(toBody) }),
      }
    }
    const stored = await context.call(configMatrixEndpoints.changeConfig, { body })
    return {
      applied: true,
      environments: stored.environments.map(({ environmentId, changes: diff, version }) => ({
        environment: nameOf(environmentId),
        version: version?.version,
        versionId: version?.id,
        changes: diff,
      })),
      link: context.linkTo({ page: 'history', search: { schema: schema.id } }),
    }
  },
})

/** Makes a request, which people approve and apply. */
async function askForChange(
  context: ToolContext,
  body: {
    readonly title: string
    readonly reason?: string | undefined
    readonly operation: object
  },
): Promise<object> {
  const { number, state, environments } = await context.call(
    changeRequestEndpoints.createChangeRequest,
    { body },
  )
  return {
    applied: false,
    requested: {
      number,
      state,
      environments: environments.map(({ name, approvals }) => ({ environment: name, approvals })),
      link: context.linkTo({ page: 'request', params: { requestId: String(number) } }),
    },
  }
}

/** Requires that `keys` names the keys that change, and no others. @throws {Problem} `validation_failed` */
function requireNamed(keys: readonly string[], changes: readonly NamedChange[]): void {
  const changed = new Set(
    changes.flatMap(({ set = {}, rules = {}, unset = [], turn = {} }) => [
      ...Object.keys(set),
      ...Object.keys(rules),
      ...unset,
      ...Object.keys(turn),
    ]),
  )
  const named = new Set(keys)
  if (changed.size === named.size && [...changed].every((key) => named.has(key))) return
  const detail = `"keys" names exactly the keys that change. These change: ${[...changed].join(', ')}.`
  throw new Problem('validation_failed', detail)
}
