import { z } from 'zod/v4'

/**
 * Lists what Signalbox does with a connected provider, by kind and in the order in which people read it.
 *
 * - `recordDeployments`: deployments and their states are read from the code host.
 * - `followDeployments`: the code host reports a change of a deployment by a webhook.
 * - `readCommits`: the commits between two deployments are read.
 * - `startWorkflows`: workflows are started, including those that test a deployment.
 * - `readTestReports`: the test results of a run are read from the code host, without an upload.
 * - `uploadWithoutKey`: a pipeline uploads its test report with a token of the code host, without an API key.
 * - `readPullRequests`: pull requests are followed, so that a check ends with its pull request.
 * - `writeStatuses`: the check of a commit stands beside it at the code host.
 * - `holdDeployments`: a deployment waits at the code host until Signalbox lets it go on.
 * - `readIssues`: issues are read by the keys in commit messages.
 * - `followIssues`: the tracker reports a change of an issue by a webhook.
 * - `sendMessages`: messages are sent, and kept up to date.
 * - `listChannels`: the channels of the chat are listed.
 * - `joinChannels`: a channel that takes messages from anybody in the workspace needs no invitation.
 * - `findMessages`: a message whose answer was lost is looked for, and sent again only if it isn’t there.
 */
export const capabilitiesOfKind = {
  codehost: [
    'recordDeployments',
    'followDeployments',
    'readCommits',
    'startWorkflows',
    'readTestReports',
    'uploadWithoutKey',
    'readPullRequests',
    'writeStatuses',
    'holdDeployments',
  ],
  tracker: ['readIssues', 'followIssues'],
  chat: ['sendMessages', 'listChannels', 'joinChannels', 'findMessages'],
} as const

/** Lists the names of all capabilities. */
export const capabilityNames = [
  ...capabilitiesOfKind.codehost,
  ...capabilitiesOfKind.tracker,
  ...capabilitiesOfKind.chat,
] as const

/** Names one thing that Signalbox does with a provider. */
export type CapabilityName = (typeof capabilityNames)[number]

/** Lists how much access a connection has, at a provider that has such levels. */
export const accessLevels = ['read', 'full'] as const

/** Names how much access a connection has. */
export type AccessLevel = (typeof accessLevels)[number]

/** Describes whether one thing works with the connected provider, and what to do if it doesn't. */
export const capability = z.object({
  name: z.enum(capabilityNames),
  /** Says what it is, as a heading. Example: `Start workflows`. */
  title: z.string(),
  works: z.boolean(),
  /** Says in a sentence what Signalbox does, or why it can’t. */
  detail: z.string(),
  /** Says in a sentence what a person does about it. `null`: nothing, or nothing can be done. */
  nextStep: z.string().nullable(),
})
