import { expect, it } from 'vitest'
import { endpoints, isWrite, type EndpointShape } from './index.ts'

/** Lists the endpoints by who may call them: the least role and the kinds of keys, or the kind of access. */
const callers = {
  'viewer m2m+b2m': `evaluateEnvironmentFlagByOfrep evaluateEnvironmentFlagsByOfrep evaluateFlag evaluateFlagByOfrep
    evaluateFlagsByOfrep evaluateLimit evaluateSchemaFlagByOfrep evaluateSchemaFlagsByOfrep evaluateValue getConfigValues
    readNamedSnapshot readSnapshot readSnapshotVersion readValue readValues streamSnapshot`,
  'viewer none': `acknowledgeChangeRequest allowAgent createAgentToken diagnoseDeployments endAgentToken getApiKey getDeliveryFigures
    getDeploymentSeries getGroup getKeyAccess getMemberAccess getOutgoingWebhook getOverview getTestRunSeries listAgentTokens listApiKeys listChanges listFailedJobs listFreezes
    listGrants listGroupMembers listGroups listMembers listOutgoingMessages listOutgoingWebhooks listSecretReads overrideChangeRequest removeMember reviewChangeRequest searchOrganization streamEvents`,
  'developer m2m': 'getWebhookDelivery',
  'developer none': 'approveGateDecision retryFailedJob stopProof',
  'admin m2m':
    'deleteConfigSchema deleteEnvironment deletePreviewEnvironment deleteSegment planTarget updateChat updateCodehost updateTracker',
  'admin none': `addGroupMember authorizeIntegration connectIntegration createApiKey createGate createGrant createGroup createInvitation createOutgoingWebhook createPreviewRule createSignal createTarget
    deleteGate deleteGrant deleteGroup deleteOutgoingWebhook deletePreviewRule deleteSignal deleteTarget disconnectIntegration endFreeze exportAuditEvents freezeEnvironment getPolicies listAuditEvents listEmailDomains listInvitations listMadeByMember
    listScimTokens listSignInProviders overrideGateDecision pauseApiKey pauseOutgoingWebhook pauseTarget refuseGateDecision removeGroupMember replayOutgoingMessage resumeTarget revokeApiKey revokeInvitation rotateApiKey
    rotateOutgoingWebhook runTarget setKeyWorkflows testOutgoingWebhook testSignal updateApiKey updateGate updateGrant updateGroup updateMember updateOrganization
    updateOutgoingWebhook updatePreviewRule updateSignal updateTarget verifyAuditChain`,
  'owner none': `addEmailDomain checkEmailDomain createScimToken createSignInProvider deleteOrganization endMemberSessions removeEmailDomain
    removeSignInProvider revokeScimToken updatePolicies updateSignInProvider`,
  identified: 'listOrganizations whoAmI',
  assistant: 'callTools',
  operator: `deleteProviderApp endPreviousSecret getApplicationManifest getServerStatus listProviderApps listServerFailedJobs
    retryServerFailedJob saveProviderApp`,
  person: `acceptInvitation approveDevice beginOidcConfirm beginOidcLink beginSecondFactor changePassword claimDevice
    confirmSecondFactor confirmSession createOrganization createPersonalAccessToken deleteOidcLink deletePersonalAccessToken
    denyDevice endOtherSessions endSession getOidcLink listPersonalAccessTokens listSessions refuseAgent removeSecondFactor
    reviewAgent signOut updateMe`,
}

it('each role and each kind of key may call what is listed, and besides, members and server keys read and developers and server keys write', () => {
  const declared: Record<string, string[]> = {}
  for (const endpoint of Object.values(endpoints) as readonly EndpointShape[]) {
    const { access, operationId } = endpoint
    const caller = access.kind === 'organization' ? `${access.role} ${access.keys}` : access.kind
    const isRest = caller === (isWrite(endpoint) ? 'developer m2m' : 'viewer m2m')
    if (!isRest && caller !== 'open') (declared[caller] ??= []).push(operationId)
  }
  for (const names of Object.values(declared)) names.sort()
  const listed = Object.entries(callers).map(([caller, names]) => [caller, names.split(/\s+/)])
  expect(declared).toEqual(Object.fromEntries(listed))
})
