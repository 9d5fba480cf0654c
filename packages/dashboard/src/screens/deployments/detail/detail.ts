import type { AnswerOf } from '../../../api/routes.ts'

/** Describes a deployment with all of its details. */
export type Detail = AnswerOf<'GET /organizations/{org_id}/deployments/{deployment_id}'>
/** Describes one step of a deployment. */
export type Step = Detail['timeline'][number]
/** Describes an issue that a deployment brings live. */
export type Issue = Detail['issues'][number]
/** Describes a test run of a deployment. */
export type TestRun = Detail['testRuns'][number]
/** Describes a message about a deployment. */
export type Message = Detail['messages'][number]
