import { planEndpoints as endpoints } from '@signalbox/contract/rest'
import { z } from 'zod'
import type { Actor } from '../../http/admission/actor.ts'
import type { Router } from '../../http/router.ts'
import { toConfirmation } from '../../config-model/confirmation.ts'
import type { ConfigDeps } from '../config-deps.ts'
import { toCaller } from '../to-caller.ts'
import { createPlan } from './create-plan.ts'
import {
  createTemplate,
  deleteTemplate,
  getPlan,
  listPlans,
  listTemplates,
  presentPlan,
  type PlanView,
} from './list-plans.ts'
import { pressPlan } from './press-plan.ts'
import type { PlanButton } from './plan.ts'
import type { TemplateRow } from './plan-rows.ts'

type AnyRequest = Parameters<typeof toCaller>[0] & {
  readonly actor: Actor
  readonly params: { readonly plan_id: string }
}

const present = (view: PlanView, request: Parameters<typeof toCaller>[0]) =>
  presentPlan(view, toCaller(request))

const presentTemplate = ({ createdAt, steps, ...row }: TemplateRow) => ({
  ...row,
  steps: [...steps],
  createdAt: createdAt.toISOString(),
})

/** Serves the endpoints of rollout plans. `asking` makes a request of a plan that needs approvals. */
export function mountPlans(router: Router, asking: Router, deps: ConfigDeps): void {
  asking.add(endpoints.createRolloutPlan, {
    handle: ({ body, ...request }) =>
      createPlan(deps, toCaller(request), { ...body, confirmation: toConfirmation(body) }),
    present,
  })
  mountReads(router, deps)
  const press = (button: PlanButton) => ({
    handle: (request: AnyRequest) =>
      pressPlan(
        deps,
        { caller: toCaller(request), actor: request.actor },
        { id: request.params.plan_id, button },
      ),
    present,
  })
  router
    .add(endpoints.pauseRolloutPlan, press('pause'))
    .add(endpoints.resumeRolloutPlan, press('resume'))
    .add(endpoints.advanceRolloutPlan, press('next'))
    .add(endpoints.returnRolloutPlan, press('back'))
    .add(endpoints.stopRolloutPlan, press('stop'))
    .add(endpoints.restoreRolloutPlan, press('restore'))
    .add(endpoints.createReleaseTemplate, {
      handle: ({ body, ...request }) => createTemplate(deps, toCaller(request), body),
      present: presentTemplate,
    })
    .add(endpoints.deleteReleaseTemplate, {
      handle: (request) => deleteTemplate(deps, toCaller(request), request.params.template_id),
    })
}

function mountReads(router: Router, deps: ConfigDeps): void {
  router
    .addPage(endpoints.listRolloutPlans, {
      position: z.string(),
      list: ({ query, ...request }, { after, limit }) =>
        listPlans(deps, toCaller(request), {
          state: query.state,
          environmentId: query.environment ?? null,
          schemaId: query.schema ?? null,
          flag: query.flag ?? null,
          below: after ?? null,
          limit: limit + 1,
        }),
      positionOf: ({ plan }) => plan.id,
      present,
    })
    .add(endpoints.getRolloutPlan, {
      handle(request) {
        const caller = toCaller(request)
        return deps.store.transaction(caller.scope, (tx) =>
          getPlan(tx, caller, request.params.plan_id),
        )
      },
      present,
    })
    .addPage(endpoints.listReleaseTemplates, {
      position: z.string(),
      list: (request, { after, limit }) =>
        listTemplates(deps, toCaller(request), { after: after ?? '', limit: limit + 1 }),
      positionOf: ({ name }) => name.toLowerCase(),
      present: presentTemplate,
    })
}
