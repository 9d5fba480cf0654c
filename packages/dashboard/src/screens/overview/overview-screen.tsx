import { Page } from '../../parts/page.tsx'
export function OverviewScreen() {
  return <Page title="Overview">…</Page>
}
