// Three pears and a porcelain bowl on linen, window light from the left.
#include "path.glsl"

float pear(vec3 p, float lean, out float stalk) {
  p.xy = turn(lean) * p.xy;
  float r = length(p.xz);
  float body = blend(length(vec2(r, p.y * 0.96)) - 0.5, limb(p, vec3(0, 0.35, 0), vec3(0.04, 0.78, 0), 0.27, 0.17), 0.32);
  body += 0.006 * noise(p * 7.0) + 0.02 * sin(p.x * 3.0 + p.z * 4.0);
  body = carve(body, sphere(p - vec3(0.05, 1.03, 0), 0.07), 0.08);
  stalk = limb(p, vec3(0.05, 0.9, 0), vec3(0.18, 1.28, 0.05), 0.022, 0.032);
  return body;
}

float cloth(vec3 p) {
  float fold = 0.05 * sin(p.x * 1.7 + 1.3 * sin(p.z * 0.9)) * smoothstep(0.6, 3.0, length(p.xz - vec2(0.2, 0.0)));
  return (p.y - fold - 0.03 * fbm(p.xz * 1.3, 3)) * 0.8;
}

vec2 map(vec3 p) {
  vec2 near = vec2(cloth(p), 1.0);
  near = nearer(near, vec2(p.z + 2.6, 2.0));
  if (length(p.xz) - 2.6 > 0.3) return nearer(near, vec2(length(p.xz) - 2.4, 9.0));
  float stalk;
  float fruit = pear(p - vec3(-0.75, 0.5, 0.35), 0.12, stalk);
  near = nearer(nearer(near, vec2(fruit, 3.0)), vec2(stalk, 5.0));
  fruit = pear((p - vec3(-0.1, 0.47, 1.15)).zyx, 1.45, stalk);
  near = nearer(nearer(near, vec2(fruit, 4.0)), vec2(stalk, 5.0));
  vec3 q = p - vec3(0.75, 0.0, -0.2);
  float bowl = max(abs(length(q - vec3(0, 0.92, 0)) - 0.85) - 0.03, q.y - 0.8);
  bowl = blend(bowl, cylinder(q - vec3(0, 0.06, 0), 0.34, 0.08, 0.02), 0.05);
  near = nearer(near, vec2(bowl, 6.0));
  fruit = pear(q - vec3(0.1, 0.72, 0.0), -0.25, stalk);
  near = nearer(nearer(near, vec2(fruit, 3.5)), vec2(stalk, 5.0));
  return near;
}

Matter matter(float name, vec3 p, inout vec3 n) {
  if (name < 1.5) {
    vec2 weave = sin(p.xz * 190.0);
    n = normalize(n + 0.1 * vec3(weave.x, 0.0, weave.y));
    return Matter(vec3(0.66, 0.62, 0.55) * (0.92 + 0.08 * weave.x * weave.y), 0.0, 0.0, 0.0, vec3(0), 0.0);
  }
  if (name < 2.5) return Matter(vec3(0.34, 0.37, 0.36) * (0.8 + 0.35 * fbm(p.xy * 1.1, 5)), 0.0, 0.0, 0.0, vec3(0), 0.0);
  if (name < 4.5) {
    vec3 skin = mix(vec3(0.62, 0.55, 0.12), vec3(0.36, 0.42, 0.08), smoothstep(0.3, 0.7, fbm(p * 2.3, 3)));
    skin = mix(skin, vec3(0.62, 0.18, 0.06), smoothstep(0.42, 0.75, fbm(p * 1.4 + name * 7.0, 4)) * 0.85);
    skin *= 1.0 - 0.45 * smoothstep(0.8, 0.9, noise(p * 42.0)) - 0.2 * smoothstep(0.5, 0.8, fbm(p * 9.0, 3));
    return Matter(skin, 0.04, 0.42, 0.0, vec3(0), 0.0);
  }
  if (name < 5.5) return Matter(vec3(0.12, 0.07, 0.03), 0.0, 0.0, 0.0, vec3(0), 0.0);
  return Matter(vec3(0.82, 0.8, 0.76), 0.05, 0.12, 0.0, vec3(0), 0.0);
}

vec3 sky(vec3 d) { return vec3(0.10, 0.12, 0.15) + vec3(0.5, 0.55, 0.6) * smoothstep(0.2, 1.0, -d.x) * smoothstep(-0.2, 0.4, d.y); }

float gobo(vec3 p, vec3 to) {
  vec3 q = p + to * ((-4.0 - p.x) / to.x);
  return smoothstep(0.25, 0.3, abs(fract(q.z * 0.45 + 0.2) - 0.5) + 0.22) * smoothstep(-3.0, -2.6, q.z);
}

vec3 photo(vec2 uv) {
  Ray ray = shoot(uv, vec3(0.4, 2.1, 5.6), vec3(0.0, 0.62, 0.2), 3.2, 0.06, 5.2);
  return trace(ray, Key(normalize(vec3(-0.85, 0.55, 0.35)), vec3(6.4, 5.6, 4.6), 0.16));
}
