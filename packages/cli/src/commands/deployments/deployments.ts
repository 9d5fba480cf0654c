import { buildRouteMap } from '@stricli/core'
import { briefs } from '../../help/briefs.ts'
import type { CliContext } from '../../cli-context.ts'
import { reportDeploymentCommand } from './report-deployment.ts'

/** Defines `signalbox deployments`. */
export const deploymentsRoutes = buildRouteMap<'report', CliContext>({
  routes: { report: reportDeploymentCommand },
  docs: { brief: briefs.deployments },
})
