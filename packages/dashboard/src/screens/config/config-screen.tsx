import { Page } from '../../parts/page.tsx'
export function ConfigScreen() {
  return <Page title="config">…</Page>
}
