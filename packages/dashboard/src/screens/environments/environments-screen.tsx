import { Page } from '../../parts/page.tsx'
export function EnvironmentsScreen() {
  return <Page title="environments">…</Page>
}
