import { buildDashboard } from '../scripts/build-dashboard.ts'
import { buildPages } from '../scripts/build-pages.ts'

/** Browsers are shown the dashboard and the documentation of these sources. */
export default function setup(): void {
  if (buildDashboard() !== 0) throw new Error('The dashboard cannot be built')
  if (buildPages() !== 0) throw new Error('The documentation cannot be built')
}
