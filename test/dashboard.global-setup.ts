import { buildDashboard } from '../scripts/build-dashboard.ts'

/** Browsers are shown the dashboard of these sources. */
export default function setup(): void {
  if (buildDashboard() !== 0) throw new Error('The dashboard cannot be built')
}
