import type { AnswerOf } from '../../api/routes.ts'

export type Detail = AnswerOf<'GET /organizations/{org_id}/deployments/{deployment_id}'>
export type Step = Detail['timeline'][number]
export type Issue = Detail['issues'][number]
export type TestRun = Detail['testRuns'][number]
export type Message = Detail['messages'][number]
