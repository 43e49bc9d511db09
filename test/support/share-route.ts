// Egress with a route that has a share, so that the operations on shares have an object. No mail of the tests uses the route.
export const EGRESS_WITH_SHARE = JSON.stringify({
  smarthosts: [{ name: 'vendor', url: 'smtp://smtp.vendor.example:587' }],
  routes: [
    {
      ...{ name: 'leaving', domain: 'leaving.example', via: ['pool:default', 'smarthost:vendor'] },
      ...{ share: 10, rise: { step: 10, every: '3d' } },
    },
  ],
  default: ['pool:default'],
});
