// Open sea at sunset, the swell rolling towards the lens.
#include "camera.glsl"

float waves(vec2 p, int octaves) {
  float sum = 0.0, weight = 0.55, scale = 0.16;
  vec2 q = p;
  for (int i = 0; i < octaves; i++) {
    vec2 bend = q * scale + vec2(noise(q * scale * 0.9), noise(q * scale * 0.9 + 31.0)) * 1.6;
    vec2 s = 1.0 - abs(sin(bend)), c = abs(cos(bend));
    s = mix(s, c, s);
    sum += weight * pow(1.0 - pow(s.x * s.y, 0.65), 3.2);
    q = turn(0.63 + 0.31 * float(i)) * q;
    scale *= 1.85;
    weight *= 0.31;
  }
  return sum * 1.5 - 0.9;
}

vec3 above(vec3 d, vec3 sun) {
  float near = max(dot(d, sun), 0.0);
  vec3 c = mix(vec3(0.95, 0.42, 0.16), vec3(0.16, 0.22, 0.42), smoothstep(0.0, 0.35, d.y));
  vec2 q = d.xz / (abs(d.y) + 0.07);
  float cloud = smoothstep(0.42, 0.85, fbm(q * vec2(0.16, 0.5) + vec2(2.0, 5.0), 6));
  c = mix(c, mix(vec3(0.26, 0.13, 0.17), vec3(1.5, 0.62, 0.24), pow(near, 4.0)), cloud * 0.8);
  return c + vec3(1.6, 0.75, 0.25) * (0.35 * pow(near, 24.0) + 0.8 * pow(near, 220.0)) + vec3(14.0, 8.0, 3.4) * smoothstep(0.99935, 0.9996, near) * (1.0 - 0.5 * cloud);
}

vec3 photo(vec2 uv) {
  vec3 sun = normalize(vec3(0.22, 0.075, 1.0));
  Ray ray = shoot(uv, vec3(0.0, 1.6, 0.0), vec3(0.0, 1.44, 4.0), 1.9, 0.0, 1.0);
  float t = 1.0;
  bool hit = false;
  for (int i = 0; i < 90; i++) {
    vec3 p = ray.from + t * ray.along;
    float h = p.y - waves(p.xz, 4);
    if (h < 0.002 * t) { hit = true; break; }
    t += max(h * 0.55, 0.012 * t);
    if (t > 160.0) break;
  }
  if (!hit) return above(ray.along, sun);
  vec3 p = ray.from + t * ray.along;
  float e = 0.006 + 0.0022 * t;
  float h = waves(p.xz, 8);
  vec3 n = normalize(vec3(h - waves(p.xz + vec2(e, 0), 8), e * 1.15, h - waves(p.xz + vec2(0, e), 8)));
  n = normalize(mix(n, vec3(0, 1, 0), 1.0 - exp(-t * 0.005)));
  vec3 back = reflect(ray.along, n);
  back.y = abs(back.y);
  float fresnel = 0.02 + 0.98 * pow(1.0 - max(dot(-ray.along, n), 0.0), 5.0);
  vec3 deep = vec3(0.006, 0.028, 0.040) + vec3(0.02, 0.10, 0.085) * smoothstep(-0.3, 0.75, p.y) * (0.4 + pow(max(dot(ray.along, sun), 0.0), 3.0));
  vec3 c = mix(deep, above(back, sun), fresnel * 0.9);
  c += vec3(7.0, 3.6, 1.3) * pow(max(dot(back, sun), 0.0), 260.0);
  c += vec3(0.5, 0.42, 0.38) * smoothstep(0.78, 1.0, p.y + 0.3 * noise(p.xz * 7.0)) * smoothstep(0.35, 0.8, noise(p.xz * 12.0));
  return mix(c, vec3(0.85, 0.38, 0.16), 1.0 - exp(-pow(t * 0.012, 2.0)));
}
