import { configMatrixEndpoints } from '@signalbox/contract/rest'
import { z } from 'zod'
import { defineTool } from '../tool.ts'
import { changeFields, changeInput, readChanges, toBody } from './change-input.ts'
import { toReviewLink } from './review-link.ts'

/** Tries a change without storing it. */
export const proposeChangeTool = defineTool({
  name: 'propose_change',
  title: 'Propose a change',
  description:
    'Try a change of values, flags and rules: stores nothing, answers the difference, problems, and a review link. Give the link to the person, who saves it. `applyWith` says with which versions apply_change saves it or, where `personRequired` names environments, asks people for it.',
  scope: 'read',
  input: z.object({ ...changeFields, changes: z.array(z.object(changeInput)).min(1).max(20) }),
  async run(context, input) {
    const { schema, changes, nameOf, watched } = await readChanges(context, input)
    const tried = await context.call(configMatrixEndpoints.changeConfig, {
      body: { schemaId: schema.id, changes: changes.map(toBody), ...watched, dryRun: true },
    })
    const named = new Set(changes.map(({ environmentId }) => environmentId))
    const isValid = tried.problems.length === 0
    return {
      schema: schema.name,
      environments: tried.environments.map(({ environmentId, changes: diff, currentVersion }) => ({
        environment: nameOf(environmentId),
        isInherited: !named.has(environmentId),
        currentVersion,
        changes: diff,
      })),
      problems: tried.problems.map(({ environmentId, ...rest }) => ({
        environment: nameOf(environmentId),
        ...rest,
      })),
      personRequired: tried.personRequired,
      approvals: tried.requires
        .filter(({ approvals }) => approvals > 0)
        .map(({ environment, approvals, reasons }) => ({ environment, approvals, keys: reasons })),
      ...watched,
      applyWith: isValid
        ? changes.map(({ environmentId }) => ({
            environment: nameOf(environmentId),
            expectedVersion: tried.environments.find((one) => one.environmentId === environmentId)
              ?.currentVersion,
          }))
        : null,
      mayApply: isValid && tried.personRequired.length === 0 && context.scope === 'write',
      mayRequest: isValid && tried.personRequired.length > 0 && context.scope === 'write',
      reviewLink: toReviewLink(context, { schema, changes: changes.map(toBody) }),
    }
  },
})
