import type { AnswerOf } from '../../../api/routes.ts'

/** Describes the integration with the code host: its repositories, environments and test workflows. */
export type Codehost = AnswerOf<'GET /organizations/{org_id}/integrations/codehost'>

/** Describes a rule that maps names of environments at the code host to one of ours. */
export type Rule = Codehost['environmentMap'][number]

/** Describes a workflow that tests the deployments to an environment. */
export type TestWorkflow = Codehost['testWorkflows'][number]
