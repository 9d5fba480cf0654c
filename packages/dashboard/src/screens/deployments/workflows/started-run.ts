import type { AnswerOf } from '../../../api/routes.ts'

/** Describes a workflow that was just started: its test run, or its dispatch where it tests no deployment. */
export type StartedRun =
  AnswerOf<'POST /organizations/{org_id}/integrations/codehost/workflows/{workflow_id}/dispatch'>
