import { expect, it } from 'vitest'
import { z } from 'zod/v4'
import { asksForPassword, endpoints, isWrite, type EndpointShape } from './index.ts'

const declared: readonly EndpointShape[] = Object.values(endpoints)
const namesOf = (some: readonly EndpointShape[]) =>
  some.map(({ operationId }) => operationId).toSorted()

/** Lists what a person does in a browser with their own credentials. The use cases refuse every token. */
const ownCredentials = [
  'allowAgent',
  'approveDevice',
  'beginOidcLink',
  'beginSecondFactor',
  'createAgentToken',
  'createPersonalAccessToken',
  'deleteOidcLink',
  'removeSecondFactor',
]

/** Lists what a person does instead of others. A token is no person, and is refused. */
const inPerson = ['overrideChangeRequest', 'overrideGateDecision']

/** Lists what ends something. A token may do it: in an incident people use whatever is at hand. */
const ends = [
  'deleteOrganization',
  'deleteProviderApp',
  'disconnectIntegration',
  'endMemberSessions',
  'endPreviousSecret',
  'removeMember',
]

/** A session of more than ten minutes is asked for the password; reading secrets is, by its query and not by its endpoint. */
it('whoever opens a door, or ends what does not come back, says first who they are', () => {
  const doors = declared.filter(({ opens }) => opens === 'door')
  expect(namesOf(doors)).toEqual([
    'addGroupMember',
    'authorizeIntegration',
    'connectIntegration',
    'createApiKey',
    'createGrant',
    'createInvitation',
    'createOutgoingWebhook',
    'createPreviewRule',
    'createScimToken',
    'createSignInProvider',
    'createSignal',
    'createTarget',
    'getApplicationManifest',
    'resumeTarget',
    'rotateApiKey',
    'rotateOutgoingWebhook',
    'runTarget',
    'saveProviderApp',
    'setKeyWorkflows',
    'updateApiKey',
    'updateGrant',
    'updateMember',
    'updateOutgoingWebhook',
    'updatePolicies',
    'updatePreviewRule',
    'updateSignInProvider',
    'updateSignal',
    'updateTarget',
  ])
  const others = declared.filter((each) => asksForPassword(each) && !doors.includes(each))
  expect(namesOf(others)).toEqual([...ownCredentials, ...inPerson, ...ends].toSorted())
})

/** The writes of admins, owners and operators that a personal access token may call, each with the reason. */
const openToTokens: Readonly<Record<string, string>> = {
  createGate: 'holds deployments up',
  updateGate: 'says what deployments wait for, as their pipelines do',
  deleteGate: 'ends',
  deletePreviewRule: 'ends',
  freezeEnvironment: 'holds deployments up',
  endFreeze: 'ends',
  overrideGateDecision: 'is done by a person, so that a token is refused',
  refuseGateDecision: 'is done by a person, so that a token is refused',
  createGroup: 'allows nothing without a member and a grant',
  deleteGrant: 'ends',
  deleteGroup: 'ends',
  addEmailDomain: 'verifies nothing by itself',
  checkEmailDomain: 'only the owner of the domain writes the record that verifies it',
  deleteOrganization: 'ends',
  deleteOutgoingWebhook: 'ends',
  deleteProviderApp: 'ends',
  deleteSignal: 'ends',
  deleteTarget: 'ends',
  disconnectIntegration: 'ends',
  endMemberSessions: 'ends',
  endPreviousSecret: 'ends',
  pauseApiKey: 'ends',
  pauseOutgoingWebhook: 'ends',
  pauseTarget: 'ends',
  removeGroupMember: 'ends',
  removeEmailDomain: 'ends',
  removeSignInProvider: 'ends',
  revokeApiKey: 'ends',
  revokeInvitation: 'ends',
  revokeScimToken: 'ends',
  replayOutgoingMessage: 'sends to an address that a manager entered',
  retryServerFailedJob: 'repeats what was decided',
  testOutgoingWebhook: 'sends to an address that a manager entered',
  testSignal: 'calls an address that a manager entered',
  updateGroup: 'renames',
  updateOrganization: 'renames',
}

it('each write that only people of the highest roles may make opens a door, or is listed with the reason why it does not', () => {
  const ofManagers = declared.filter(
    ({ access, ...each }) =>
      isWrite(each) &&
      (access.kind === 'operator' ||
        (access.kind === 'organization' &&
          access.keys === 'none' &&
          (access.role === 'admin' || access.role === 'owner'))),
  )
  const others = ofManagers.filter(({ opens }) => opens === undefined)
  expect(namesOf(others)).toEqual(Object.keys(openToTokens).toSorted())
})

/** Doors that answer nothing of what will be there: what the provider answers then is. */
const answerNothing = [
  'authorizeIntegration',
  'createPreviewRule',
  'getApplicationManifest',
  'updatePreviewRule',
]

it('whatever opens a door answers what it was opened with, so that it is found when that has ended', () => {
  const silent = declared.filter(
    ({ opens, response: { body } }) =>
      opens === 'door' &&
      !(
        body instanceof z.ZodObject && Object.keys(body.shape).some((name) => name.endsWith('With'))
      ),
  )
  expect(namesOf(silent)).toEqual(answerNothing)
})

it('admits no API key where a person says who they are: its finder would go in by another door', () => {
  const keyed = declared.filter(
    (each) =>
      asksForPassword(each) && each.access.kind === 'organization' && each.access.keys !== 'none',
  )
  expect(namesOf(keyed)).toEqual([])
})
