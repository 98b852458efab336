// Six eggs, one of them out of the bowl, one lamp.
#define BOUNCES 2
#define STEPS 64
#define REACH 14.0
#include "path.glsl"

float egg(vec3 p, vec3 lie) {
  vec3 along = normalize(lie);
  float y = dot(p, along), r = length(p - y * along);
  float wide = 0.30 - 0.055 * y;
  return (length(vec2(r / wide, y / 0.40)) - 1.0) * 0.27;
}

vec2 map(vec3 p) {
  vec2 near = vec2(min(p.y, p.z + 2.4), 1.0);
  float far = length(p - vec3(0.1, 0.45, 0.2)) - 1.75;
  if (far > 0.25) return vec2(min(near.x, far), 1.0);
  vec3 b = p - vec3(-0.25, 0.0, 0.0);
  float bowl = max(abs(length(b - vec3(0, 1.15, 0)) - 1.12) - 0.028, b.y - 0.62);
  bowl = min(bowl, cylinder(b - vec3(0, 0.045, 0), 0.40, 0.05, 0.02));
  near = nearer(near, vec2(bowl, 2.0));
  float shell = egg(b - vec3(-0.36, 0.50, 0.18), vec3(1, 0.3, 0.2));
  shell = min(shell, egg(b - vec3(0.24, 0.47, 0.34), vec3(0.3, 0.2, 1)));
  shell = min(shell, egg(b - vec3(0.38, 0.56, -0.28), vec3(-0.4, 1, 0.3)));
  shell = min(shell, egg(b - vec3(-0.24, 0.55, -0.38), vec3(0.9, 0.35, -0.5)));
  shell = min(shell, egg(b - vec3(0.02, 0.86, 0.00), vec3(1, 0.15, -0.6)));
  shell = min(shell, egg(p - vec3(1.12, 0.295, 0.72), vec3(0.8, 0.0, 0.55)));
  return nearer(near, vec2(shell, 3.0));
}

Matter matter(float name, vec3 p, inout vec3 n) {
  if (name < 1.5) return Matter(vec3(0.115) * (0.8 + 0.4 * fbm(vec2(p.x * 2.0, p.z * 14.0 + p.y * 2.0), 5)), 0.0, 0.0, 0.0, vec3(0), 0.0);
  if (name < 2.5) return Matter(vec3(0.045) * (0.8 + 0.4 * noise(p * 20.0)), 0.045, 0.18, 0.0, vec3(0), 0.0);
  n = normalize(n + 0.03 * (vec3(noise(p * 70.0), noise(p * 70.0 + 3.0), noise(p * 70.0 + 6.0)) - 0.5));
  float speckle = smoothstep(0.80, 0.90, noise(p * 30.0));
  return Matter(mix(vec3(0.76), vec3(0.36), 0.5 * speckle * step(0.4, fbm(p * 2.0, 2))), 0.02, 0.4, 0.0, vec3(0), 0.0);
}

vec3 sky(vec3 d) { return vec3(0.05, 0.05, 0.05) + 0.16 * smoothstep(0.2, 0.9, d.y); }

float gobo(vec3 p, vec3 to) { return 1.0; }

vec3 photo(vec2 uv) {
  Ray ray = shoot(uv, vec3(0.7, 2.3, 4.6), vec3(0.18, 0.38, 0.12), 3.0, 0.03, 4.7);
  return trace(ray, Key(normalize(vec3(-0.8, 0.62, 0.05)), vec3(5.2), 0.16));
}
