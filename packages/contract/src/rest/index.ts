import { assistantEndpoints } from './overview/assistants.ts'
import { auditEndpoints } from './audit.ts'
import { changeRequestEndpoints } from './configs/change-requests.ts'
import { environmentEndpoints } from './configs/environments.ts'
import { importEndpoints } from './configs/imports.ts'
import { configMatrixEndpoints } from './configs/matrix.ts'
import { planEndpoints } from './configs/plans.ts'
import { previewEndpoints } from './previews.ts'
import { proofEndpoints } from './configs/proofs.ts'
import { signalEndpoints } from './configs/signals.ts'
import { configSchemaEndpoints } from './configs/schemas.ts'
import { segmentEndpoints } from './configs/segments.ts'
import { configValueEndpoints } from './configs/values.ts'
import { configVersionEndpoints } from './configs/versions.ts'
import { dashboardEndpoints } from './dashboard.ts'
import { failedJobEndpoints } from './failed-jobs.ts'
import { ofrepEndpoints } from './delivery/ofrep.ts'
import { snapshotEndpoints } from './delivery/snapshots.ts'
import { codehostEndpoints } from './deployments/codehost.ts'
import { commitCheckEndpoints } from './commit-checks.ts'
import { deploymentEndpoints } from './deployments/deployments.ts'
import { diagnosisEndpoints } from './deployments/diagnosis.ts'
import { gateEndpoints } from './gates.ts'
import { trackerEndpoints } from './deployments/tracker.ts'
import { accessTokenEndpoints } from './identity/access-tokens.ts'
import { accountEndpoints } from './identity/account.ts'
import { agentAuthorizationEndpoints } from './identity/agent-authorizations.ts'
import { agentTokenEndpoints } from './identity/agent-tokens.ts'
import { apiKeyEndpoints } from './identity/api-keys.ts'
import { deviceEndpoints } from './identity/devices.ts'
import { grantEndpoints } from './identity/grants.ts'
import { groupEndpoints } from './identity/groups.ts'
import { invitationEndpoints } from './identity/invitations.ts'
import { memberEndpoints } from './identity/members.ts'
import { oidcEndpoints } from './identity/oidc.ts'
import { organizationEndpoints } from './identity/organizations.ts'
import { personalTokenEndpoints } from './identity/personal-tokens.ts'
import { policyEndpoints } from './identity/policies.ts'
import { secondFactorEndpoints } from './identity/second-factor.ts'
import { sessionEndpoints } from './identity/sessions.ts'
import { scimEndpoints } from './identity/scim.ts'
import { setupEndpoints } from './identity/setup.ts'
import { signInProviderEndpoints } from './identity/sign-in-providers.ts'
import { singleSignOnEndpoints } from './identity/single-sign-on.ts'
import { inboxEndpoints } from './inbox.ts'
import { integrationEndpoints } from './integrations/integrations.ts'
import { providerAppEndpoints } from './integrations/provider-apps.ts'
import { liveEndpoints } from './live.ts'
import { chatEndpoints } from './notifications/chat.ts'
import { messageEndpoints } from './notifications/messages.ts'
import { notificationRouteEndpoints } from './notifications/notification-routes.ts'
import { operationEndpoints } from './operation.ts'
import { outgoingWebhookEndpoints } from './notifications/outgoing-webhooks.ts'
import { changeEndpoints } from './overview/changes.ts'
import { deliveryFigureEndpoints } from './overview/delivery-figures.ts'
import { overviewEndpoints } from './overview/overview.ts'
import { searchEndpoints } from './overview/search.ts'
import { seriesEndpoints } from './overview/series.ts'
import { targetEndpoints } from './integrations/targets.ts'
import { testRunEndpoints } from './test-runs/test-runs.ts'
import { workflowEndpoints } from './test-runs/workflows.ts'
import type { EndpointShape } from './endpoint.ts'

export * from './overview/assistants.ts'
export * from './audit.ts'
export * from './configs/change-requests.ts'
export * from './configs/environments.ts'
export * from './configs/flag-rules.ts'
export * from './configs/imports.ts'
export * from './configs/matrix.ts'
export * from './configs/plans.ts'
export * from './previews.ts'
export * from './configs/proofs.ts'
export * from './configs/protection.ts'
export * from './configs/schemas.ts'
export * from './configs/segments.ts'
export * from './configs/shapes.ts'
export * from './configs/signals.ts'
export * from './configs/values.ts'
export * from './configs/versions.ts'
export * from './dashboard.ts'
export * from './failed-jobs.ts'
export * from './delivery/ofrep.ts'
export * from './delivery/snapshots.ts'
export * from './deployments/codehost.ts'
export * from './commit-checks.ts'
export * from './deployments/deployments.ts'
export * from './deployments/diagnosis.ts'
export * from './gates.ts'
export * from './deployments/shapes.ts'
export * from './deployments/tracker.ts'
export * from './endpoint.ts'
export * from './identity/access-tokens.ts'
export * from './identity/account.ts'
export * from './identity/agent-authorizations.ts'
export * from './identity/agent-tokens.ts'
export * from './identity/api-keys.ts'
export * from './identity/devices.ts'
export * from './identity/grants.ts'
export * from './identity/groups.ts'
export * from './identity/invitations.ts'
export * from './identity/members.ts'
export * from './identity/oidc.ts'
export * from './identity/organizations.ts'
export * from './identity/personal-tokens.ts'
export * from './identity/policies.ts'
export * from './identity/second-factor.ts'
export * from './identity/sessions.ts'
export * from './identity/scim.ts'
export * from './identity/setup.ts'
export * from './identity/shapes.ts'
export * from './identity/sign-in-providers.ts'
export * from './identity/single-sign-on.ts'
export * from './inbox.ts'
export * from './integrations/capabilities.ts'
export * from './integrations/integrations.ts'
export * from './integrations/provider-apps.ts'
export * from './integrations/shapes.ts'
export * from './live.ts'
export * from './next-step.ts'
export * from './notifications/chat.ts'
export * from './notifications/messages.ts'
export * from './notifications/notification-routes.ts'
export * from './operation.ts'
export * from './notifications/outgoing-webhooks.ts'
export * from './overview/changes.ts'
export * from './overview/delivery-figures.ts'
export * from './overview/overview.ts'
export * from './overview/search.ts'
export * from './overview/series.ts'
export * from './shapes.ts'
export * from './integrations/targets.ts'
export * from './test-runs/shapes.ts'
export * from './test-runs/test-runs.ts'
export * from './test-runs/workflows.ts'
export * from './topics.ts'

/** Lists every endpoint of the service. The OpenAPI document and the tests over all routes read this list. */
export const endpoints = {
  ...outgoingWebhookEndpoints,
  ...operationEndpoints,
  ...dashboardEndpoints,
  ...setupEndpoints,
  ...sessionEndpoints,
  ...accountEndpoints,
  ...secondFactorEndpoints,
  ...personalTokenEndpoints,
  ...accessTokenEndpoints,
  ...deviceEndpoints,
  ...oidcEndpoints,
  ...organizationEndpoints,
  ...policyEndpoints,
  ...memberEndpoints,
  ...groupEndpoints,
  ...grantEndpoints,
  ...invitationEndpoints,
  ...singleSignOnEndpoints,
  ...signInProviderEndpoints,
  ...scimEndpoints,
  ...apiKeyEndpoints,
  ...agentTokenEndpoints,
  ...agentAuthorizationEndpoints,
  ...auditEndpoints,
  ...environmentEndpoints,
  ...configSchemaEndpoints,
  ...configValueEndpoints,
  ...configVersionEndpoints,
  ...configMatrixEndpoints,
  ...importEndpoints,
  ...segmentEndpoints,
  ...changeRequestEndpoints,
  ...planEndpoints,
  ...previewEndpoints,
  ...proofEndpoints,
  ...signalEndpoints,
  ...snapshotEndpoints,
  ...ofrepEndpoints,
  ...integrationEndpoints,
  ...providerAppEndpoints,
  ...inboxEndpoints,
  ...deploymentEndpoints,
  ...diagnosisEndpoints,
  ...commitCheckEndpoints,
  ...gateEndpoints,
  ...codehostEndpoints,
  ...trackerEndpoints,
  ...testRunEndpoints,
  ...workflowEndpoints,
  ...messageEndpoints,
  ...notificationRouteEndpoints,
  ...chatEndpoints,
  ...overviewEndpoints,
  ...seriesEndpoints,
  ...deliveryFigureEndpoints,
  ...changeEndpoints,
  ...searchEndpoints,
  ...liveEndpoints,
  ...failedJobEndpoints,
  ...assistantEndpoints,
  ...targetEndpoints,
} as const satisfies Record<string, EndpointShape>

/** Names an endpoint. */
export type OperationId = keyof typeof endpoints
