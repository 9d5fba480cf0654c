import { expect, it } from 'vitest'
import { endpoints, type EndpointShape } from './index.ts'

const declared: readonly EndpointShape[] = Object.values(endpoints)

/** A session of more than ten minutes is asked for the password; reading secrets is, by its query and not by its endpoint. */
it('whoever opens a door, or ends what does not come back, says first who they are', () => {
  const asked = declared.filter(({ stepUp }) => stepUp === true)
  expect(asked.map(({ operationId }) => operationId).toSorted()).toEqual([
    'allowAgent',
    'approveDevice',
    'beginOidcLink',
    'beginSecondFactor',
    'createAgentToken',
    'createApiKey',
    'createInvitation',
    'createPersonalAccessToken',
    'createTarget',
    'deleteOidcLink',
    'deleteOrganization',
    'deleteProviderApp',
    'disconnectIntegration',
    'endPreviousSecret',
    'getApplicationManifest',
    'removeMember',
    'removeSecondFactor',
    'rotateApiKey',
    'runTarget',
    'saveProviderApp',
    'updateApiKey',
    'updateMember',
    'updateTarget',
  ])
})

it('admits no API key where a person says who they are: its finder would go in by another door', () => {
  const keyed = declared.filter(
    ({ stepUp, access }) =>
      stepUp === true && access.kind === 'organization' && access.keys !== 'none',
  )
  expect(keyed.map(({ operationId }) => operationId)).toEqual([])
})
