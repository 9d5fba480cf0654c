import { Page } from '../../parts/page.tsx'
export function DeploymentScreen() {
  return <Page title="deployment">…</Page>
}
