import { buildRouteMap } from '@stricli/core'
import { defineCommand } from '../../action.ts'
import type { OperationName, RolloutPlan } from '../../api/operations.ts'
import { carryOut } from '../../changes/resource-commands.ts'
import { type CliContext, switchFlag, textFlag } from '../../cli-context.ts'
import { briefs } from '../../help/briefs.ts'
import { openOrganization } from '../../target.ts'
import { renderTable } from '../../terminal/table.ts'
import { describePlan, namePlan, renderPlan } from './describe-plan.ts'
import { deleteTemplate, listTemplates, saveTemplate } from './templates.ts'

const planArgument = { brief: 'Id of the rollout', placeholder: 'rollout' } as const

const list = defineCommand({
  brief: 'List the rollouts',
  about: 'Lists the newest 100 rollouts in steps: those that have not ended, or all.',
  examples: ['signalbox rollouts', 'signalbox rollouts --all --environment production'],
  flags: {
    environment: textFlag('name', 'Only those in this environment'),
    all: switchFlag('Those that have ended too'),
  },
  run: async (session, { environment, all }) => {
    const { api, organization } = await openOrganization(session)
    const query = {
      limit: 100,
      ...(all !== true && { state: 'active' as const }),
      ...(environment !== undefined && {
        environment: (await api.environment(organization.id, environment)).id,
      }),
    }
    const { items } = await session.progress('Reading the rollouts', () =>
      api.call('listRolloutPlans', { params: { org_id: organization.id }, query }),
    )
    const { output } = session
    output.document({ rollouts: items })
    output.data(
      items.length === 0
        ? 'There are no such rollouts. Begin one: signalbox rollout <flag>'
        : renderTable(items.map((plan) => [plan.id, namePlan(plan), describePlan(plan)])),
    )
  },
})

const show = defineCommand({
  brief: 'Show a rollout',
  about: 'Shows a rollout: its state, and its steps with their proofs.',
  examples: ['signalbox rollouts show pln_01j9'],
  args: [planArgument],
  run: async (session, _flags, id) => {
    const { api, organization } = await openOrganization(session)
    const params = { org_id: organization.id, plan_id: id }
    const plan = await api.call('getRolloutPlan', { params })
    session.output.document({ rollout: plan })
    session.output.data(renderPlan(plan, session.output.styles))
  },
})

type Button = Extract<
  OperationName,
  | 'pauseRolloutPlan'
  | 'resumeRolloutPlan'
  | 'advanceRolloutPlan'
  | 'returnRolloutPlan'
  | 'stopRolloutPlan'
  | 'restoreRolloutPlan'
>

function defineButton(word: string, operation: Button, brief: string, about: string) {
  return defineCommand({
    brief,
    about,
    examples: [`signalbox rollouts ${word} pln_01j9`],
    args: [planArgument],
    run: async (session, _flags, id) => {
      const { api, organization } = await openOrganization(session)
      const params = { org_id: organization.id, plan_id: id }
      const plan = await api.call('getRolloutPlan', { params })
      await carryOut<RolloutPlan>(session, {
        would: `${word} the rollout of ${namePlan(plan)}`,
        plan: { rollout: plan },
        send: () => api.call(operation, { params }),
        done: (pressed) => [`${namePlan(pressed)}: ${describePlan(pressed)}`, { rollout: pressed }],
      })
    },
  })
}

/** Defines `signalbox rollouts`, whose default is the list. */
export const rolloutsRoutes = buildRouteMap<
  | 'list'
  | 'show'
  | 'pause'
  | 'resume'
  | 'next'
  | 'back'
  | 'stop'
  | 'restore'
  | 'templates'
  | 'save-template'
  | 'delete-template',
  CliContext
>({
  routes: {
    list,
    show,
    pause: defineButton(
      'pause',
      'pauseRolloutPlan',
      'Pause a rollout',
      'Pauses a rollout. Its share stays.',
    ),
    resume: defineButton(
      'resume',
      'resumeRolloutPlan',
      'Resume a rollout',
      'Begins the step of a paused rollout again, with its whole hold.',
    ),
    next: defineButton(
      'next',
      'advanceRolloutPlan',
      'Begin the next step now',
      'Begins the next step of a rollout without waiting. A step that needs an approval begins in the dashboard: no token approves.',
    ),
    back: defineButton(
      'back',
      'returnRolloutPlan',
      'Go back one step',
      'Goes back one step, and pauses the rollout.',
    ),
    stop: defineButton(
      'stop',
      'stopRolloutPlan',
      'End a rollout, and leave its share',
      'Ends a rollout. Its share stays.',
    ),
    restore: defineButton(
      'restore',
      'restoreRolloutPlan',
      'End a rollout, and serve the share from before',
      'Ends a rollout, and serves the share from before it.',
    ),
    templates: listTemplates,
    'save-template': saveTemplate,
    'delete-template': deleteTemplate,
  },
  defaultCommand: 'list',
  docs: { brief: briefs.rollouts },
})
