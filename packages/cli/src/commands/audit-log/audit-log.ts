import { buildRouteMap } from '@stricli/core'
import { briefs } from '../../help/briefs.ts'
import type { CliContext } from '../../cli-context.ts'
import { exportCommand } from './export.ts'

/** Defines `signalbox audit-log`. */
export const auditLogRoutes = buildRouteMap<'export', CliContext>({
  routes: { export: exportCommand },
  docs: { brief: briefs['audit-log'] },
})
