import { defineCommand } from '../../action.ts'
import type { Answer } from '../../api/operations.ts'
import { askToDelete, carryOut, defineList } from '../../changes/resource-commands.ts'
import { openOrganization } from '../../target.ts'
import { printable } from '../../terminal/printable.ts'
import { findTemplate, stepFlags, toSteps, type Steps } from './step-flags.ts'

type Template = Answer<'createReleaseTemplate'>

const nameArgument = { brief: 'Name of the template', placeholder: 'name' } as const

/** Defines `signalbox rollouts templates`. */
export const listTemplates = defineList<Template>({
  noun: 'release templates',
  word: 'rollouts templates',
  member: 'templates',
  about: 'Lists the release templates with their steps.',
  create: 'Create one: signalbox rollouts save-template <name> --steps 5,25,50,100 --hold 1d',
  read: async (api, orgId) =>
    (await api.call('listReleaseTemplates', { params: { org_id: orgId }, query: { limit: 100 } }))
      .items,
  rowOf: ({ id, name, steps }, styles) => [
    styles.bold(printable(name)),
    describeSteps(steps),
    styles.dim(id),
  ],
})

/** Returns steps in a line. Example: `5% for 60 min, 25% for 60 min once approved, 100%`. */
function describeSteps(steps: Steps): string {
  return steps
    .map(({ percent, holdMinutes, approve }) => {
      const hold = holdMinutes === 0 ? '' : ` for ${holdMinutes} min`
      return `${percent}%${hold}${approve === true ? ' once approved' : ''}`
    })
    .join(', ')
}

/** Defines `signalbox rollouts save-template`. */
export const saveTemplate = defineCommand({
  brief: 'Keep steps as a release template',
  about:
    'Keeps the steps of a rollout under a name, for `signalbox rollout <flag> --template <name>`.',
  examples: ['signalbox rollouts save-template careful --steps 5,25,50,100 --hold 1d'],
  flags: stepFlags,
  args: [nameArgument],
  run: async (session, flags, name) => {
    const steps = toSteps(flags)
    const { api, organization } = await openOrganization(session)
    await carryOut<Template>(session, {
      would: `create the release template ${printable(name)}: ${describeSteps(steps)}`,
      plan: { template: { name, steps } },
      send: () =>
        api.call('createReleaseTemplate', {
          params: { org_id: organization.id },
          body: { name, steps },
        }),
      done: (template) => [
        `Created the release template ${printable(template.name)}: ${describeSteps(template.steps)}`,
        { template },
      ],
    })
  },
})

/** Defines `signalbox rollouts delete-template`. */
export const deleteTemplate = defineCommand({
  brief: 'Delete a release template',
  about: 'Deletes a release template. Rollouts that took its steps go on.',
  examples: ['signalbox rollouts delete-template careful'],
  args: [nameArgument],
  run: async (session, _flags, name) => {
    const { api, organization } = await openOrganization(session)
    const template = await findTemplate(api, organization.id, name)
    const label = printable(template.name)
    await carryOut(session, {
      would: `delete the release template ${label}`,
      plan: { template },
      ask: askToDelete(template.name, `Delete the release template ${label}?`),
      send: () =>
        api.call('deleteReleaseTemplate', {
          params: { org_id: organization.id, template_id: template.id },
        }),
      done: () => [`Deleted the release template ${label}`, { template }],
    })
  },
})
