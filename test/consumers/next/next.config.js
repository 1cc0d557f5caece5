/** @type {import('next').NextConfig} */
export default {
  // `npm run check` does the type check, with stricter settings.
  typescript: { ignoreBuildErrors: true },
  cacheComponents: true,
  partialPrefetching: true,
}
