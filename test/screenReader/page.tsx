import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { PetstoreProvider } from '../../src/index.ts'
import { ar } from '../../src/labels/ar.ts'
import { en } from '../../src/labels/en.ts'
import { scenes } from './scenes.tsx'
import type { Scene } from './servePages.ts'

const labels = { en, ar }

function isSceneName(name: string): name is keyof typeof scenes {
  return Object.hasOwn(scenes, name)
}

const root = document.getElementById('root')
// `servePages.ts` has written this JSON.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const scene = JSON.parse(root?.dataset['scene'] ?? '') as Scene

if (root && isSceneName(scene.name)) {
  const { name, language, baseUrl, quickstartBaseUrl } = scene
  createRoot(root).render(
    <StrictMode>
      <PetstoreProvider baseUrl={baseUrl} quickstartBaseUrl={quickstartBaseUrl} apiKey="demo" labels={labels[language]}>
        {scenes[name]}
      </PetstoreProvider>
    </StrictMode>,
  )
}
