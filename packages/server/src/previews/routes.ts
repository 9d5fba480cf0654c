import { previewEndpoints as endpoints } from '@signalbox/contract/rest'
import { z } from 'zod'
import { toCaller, toRestrictedCaller } from '../audit/caller.ts'
import type { Router } from '../http/router.ts'
import { askPreview, authorizeAsk, type AskDeps } from './ask-preview.ts'
import { dismissPreview, listPreviews } from './list-previews.ts'
import { presentPreview, presentRule } from './present-preview.ts'
import { createRule, deleteRule, listRules, updateRule } from './save-rule.ts'

/** Serves the endpoints of previews and their rules. */
export function mountPreviews(router: Router, deps: AskDeps): void {
  router
    .add(endpoints.listPreviewRules, {
      handle: (request) => listRules(deps, toCaller(request)),
      present: (rows) => ({ items: rows.map(presentRule) }),
    })
    .add(endpoints.createPreviewRule, {
      handle: (request) => createRule(deps, toCaller(request), request.body),
      present: presentRule,
    })
    .add(endpoints.updatePreviewRule, {
      handle: (request) =>
        updateRule(deps, toCaller(request), { id: request.params.rule_id, ...request.body }),
      present: presentRule,
    })
    .add(endpoints.deletePreviewRule, {
      handle: (request) => deleteRule(deps, toCaller(request), request.params.rule_id),
    })
    .add(endpoints.createPreviewEnvironment, {
      async handle(request) {
        const { params, requestId, ip, userAgent, body } = request
        const authorization = request.header('authorization')
        const sent = { authorization, orgRef: params.org_id, requestId, ip, userAgent }
        const sender = await request.checkSender((beforeLookup) =>
          authorizeAsk(deps, { ...sent, beforeLookup }),
        )
        return askPreview(deps, sender, body)
      },
      present: ({ keys, ...asked }) => ({ ...presentPreview(asked), keys }),
    })
    .addPage(endpoints.listPreviewEnvironments, {
      position: z.string(),
      list: (request, page) => listPreviews(deps, toRestrictedCaller(request), page),
      positionOf: ({ environment }) => environment.id,
      present: presentPreview,
    })
    .add(endpoints.deletePreviewEnvironment, {
      handle: (request) => dismissPreview(deps, toCaller(request), request.params.environment_id),
    })
}
