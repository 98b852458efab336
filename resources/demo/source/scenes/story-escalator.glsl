// The long escalator, ribs of light overhead, one person near the top.
#include "camera.glsl"

vec3 photo(vec2 uv) {
  Ray ray = shoot(uv, vec3(0.12, 1.65, 0.0), vec3(0.05, 1.50, 10.0), 1.75, 0.0, 1.0);
  vec3 a = ray.from, d = ray.along;
  float radius = 2.5;
  vec2 o = vec2(a.x, a.y - 0.9), v = d.xy;
  float A = dot(v, v), B = dot(o, v), C = dot(o, o) - radius * radius;
  float tube = (-B + sqrt(max(B * B - A * C, 0.0))) / A, t = tube, floor_ = -a.y / d.y;
  int what = 0;
  if (d.y < 0.0 && floor_ < t) { t = floor_; what = 1; }
  for (int i = 0; i < 4; i++) {
    float wall = i == 0 ? -1.75 : i == 1 ? -0.62 : i == 2 ? 0.62 : 1.75, s = (wall - a.x) / d.x;
    vec3 p = a + s * d;
    if (s > 0.0 && s < t && p.y < 0.92 && p.y > -0.1) { t = s; what = 2; }
  }
  vec3 p = a + t * d, c;
  float ring = p.z / 1.6, glow = exp(-14.0 * pow(abs(fract(ring) - 0.5) * 2.0 - 0.0, 2.0));
  float light = 0.30 + 0.55 * glow;
  if (what == 0) {
    float angle = atan(p.x, p.y - 0.9), f = abs(fract(ring) - 0.5);
    float panel = abs(fract(angle * 3.2) - 0.5);
    c = vec3(0.44, 0.42, 0.40) * (0.36 + 0.6 * exp(-7.0 * f)) * (1.0 - 0.45 * smoothstep(0.46, 0.5, panel)) * (0.92 + 0.1 * hash2(vec2(floor(angle * 3.2), floor(ring))));
    c *= 1.0 - 0.55 * smoothstep(0.44, 0.5, f);
    if (f < 0.055) c = vec3(4.2, 3.7, 3.0) * smoothstep(0.055, 0.035, f);
  } else if (what == 1) {
    float lane = abs(p.x);
    float step_ = fract(p.z / 0.42), ridge = abs(fract(p.x * 26.0) - 0.5);
    c = vec3(0.115, 0.118, 0.125) * (0.55 + 0.8 * smoothstep(0.5, 0.15, ridge)) * mix(0.35, 1.25, smoothstep(0.0, 0.55, step_)) * light * 1.6;
    c = mix(c, vec3(0.85, 0.62, 0.06) * light, smoothstep(0.10, 0.04, step_) * (step(0.52, mod(lane, 1.12)) + step(mod(lane, 1.12), 0.06)) * 0.9);
    if (lane > 0.62 && lane < 1.12) c = vec3(0.26, 0.25, 0.24) * light;
    c += vec3(0.5, 0.45, 0.38) * glow * 0.20;
  } else {
    float top = smoothstep(0.845, 0.855, p.y);
    c = mix(vec3(0.30, 0.295, 0.29) * (0.45 + 0.5 * p.y) * (0.9 + 0.2 * noise(vec2(p.z * 9.0, p.y * 60.0))), vec3(0.016), top) * (0.4 + light);
    c += vec3(1.4, 1.25, 1.0) * smoothstep(0.02, 0.0, abs(p.y - 0.80)) * 0.55 + vec3(0.6, 0.54, 0.46) * glow * smoothstep(0.86, 0.92, p.y) * 0.5;
  }
  c = mix(c, vec3(0.66, 0.60, 0.52), 1.0 - exp(-pow(max(t, 0.0) * 0.022, 1.5)));
  for (int i = 0; i < 4; i++) {
    float z = i == 0 ? 8.5 : i == 1 ? 13.0 : i == 2 ? 17.5 : 24.0, x = i == 0 ? 0.26 : i == 1 ? -1.10 : i == 2 ? -0.22 : 1.15, s = (z - a.z) / d.z;
    if (s > t * 1.02 && what == 2) continue;
    vec2 q = (a + s * d).xy - vec2(x, 0.0);
    float legs = min(segment(q, vec2(-0.07, 0.75), vec2(-0.09, 0.06)) - 0.075, segment(q, vec2(0.07, 0.75), vec2(0.09, 0.02)) - 0.075);
    float coat = box2(q - vec2(0.0, 1.08), vec2(0.15 + 0.05 * smoothstep(1.3, 0.7, q.y), 0.34)) - 0.07;
    float body = min(min(legs, blend(coat, length((q - vec2(0.0, 1.62)) * vec2(1.12, 0.94)) - 0.115, 0.05)), 9.0);
    if (i == 0) body = min(body, box2(q - vec2(0.02, 1.12), vec2(0.14, 0.20)) - 0.06);
    if (i == 1) body = min(body, box2(q - vec2(0.30, 0.32), vec2(0.13, 0.24)) - 0.03);
    vec3 dark = mix(vec3(0.020, 0.018, 0.020), vec3(0.66, 0.60, 0.52), 1.0 - exp(-pow(s * 0.022, 1.5)));
    c = mix(c, dark + vec3(0.45, 0.40, 0.33) * smoothstep(-0.035, 0.0, body) * 0.5, smoothstep(0.012, -0.012, body) * step(0.02, q.y + 0.02));
  }
  return c * 1.1;
}
