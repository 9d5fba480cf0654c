import { Page } from '../../parts/page.tsx'
export function DeploymentsScreen() {
  return <Page title="deployments">…</Page>
}
